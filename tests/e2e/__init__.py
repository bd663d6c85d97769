"""The real window and the real command line, named by what people do."""
