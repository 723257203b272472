"""Every sentence that a person sees, in English and Chinese, and its look-up."""

from .words import CATALOGUES, Lang, Words, language, placeholders

__all__ = ["CATALOGUES", "Lang", "Words", "language", "placeholders"]
