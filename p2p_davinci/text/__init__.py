"""Every sentence that a person sees, in English and Chinese, and its look-up."""

from .words import LANGS, Lang, Words, catalogue, language, placeholders

__all__ = ["LANGS", "Lang", "Words", "catalogue", "language", "placeholders"]
