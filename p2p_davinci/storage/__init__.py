"""What this program keeps on the disk, and how: private, whole or not at all, and one at a time."""
