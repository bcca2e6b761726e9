"""Other packages on Clinch. Importing one of these modules enables it."""
