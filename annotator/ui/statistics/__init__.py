"""The statistics page: sections registered by name, figures calculated beside the window, charts painted from roles."""
