"""``python -m rosenblatt`` is the command line."""

try:
    from rosenblatt.cli.app import main
except ImportError as failure:
    raise SystemExit(f"rosenblatt: {failure}") from None

if __name__ == "__main__":
    main()
