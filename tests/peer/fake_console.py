#!/usr/bin/env python3
"""An emulator's console for one conversation. usage: fake_console.py PORT [TOKEN]"""
import socket
import sys

port, token = int(sys.argv[1]), (sys.argv[2:] or [""])[0]
HELP = "Android Console: type 'help' for a list of commands\r\nOK\r\n"
ASK = ("Android Console: Authentication required\r\n"
       "Android Console: type 'auth <auth_token>' to authenticate\r\n"
       "Android Console: you can find your <auth_token> in \r\n'/home/me/.emulator_console_auth_token'\r\nOK\r\n")


def main():
    with socket.create_server(("127.0.0.1", port)) as listener:
        connection, _ = listener.accept()
    with connection, connection.makefile("r", newline="\n") as lines:
        trusted = not token
        connection.sendall((HELP if trusted else ASK).encode())
        for line in map(str.strip, lines):
            if line == "quit":
                return
            if line.startswith("auth "):
                trusted = trusted or line == f"auth {token}"
                reply = (HELP if trusted
                         else "KO: authentication token does not match ~/.emulator_console_auth_token\r\n")
            elif not trusted or line not in ("avd name", "ping", "kill"):
                reply = "KO: unknown command, try 'help'\r\n"
            else:
                reply = {"avd name": "Pixel_6\r\nOK\r\n", "ping": "I am alive!\r\nOK\r\n",
                         "kill": "OK: killing emulator, bye bye\r\n"}[line]
            connection.sendall(reply.encode())
            if trusted and line == "kill":
                return


main()
