"""`python -m annotator` is the command line."""

from annotator.cli.main import main

if __name__ == "__main__":
    main()
