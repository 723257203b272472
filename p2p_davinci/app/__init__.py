"""The application: sessions driven over a real network, disk and console."""
