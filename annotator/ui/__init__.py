"""The window. Small widgets take a value and emit an intent; no SQL, no decoding and no statistics live here.

The foundation (theme, fonts, icons, density, i18n, keys, widgets) imports PySide6 and the standard library
only, so that the first paint waits for nothing else.
"""
