"""The standard streams, the signals and the terminal behind them."""
