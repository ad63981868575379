"""What the system itself may hold up for longer than anybody waits: a name server that is silent, a
phone whose sysfs attributes hang. Each in namespaces of its own."""
import json
import subprocess
import unittest

import peer
from limits import LIMIT_S

# In its namespace the shell is root. A lookup takes a minute and a half then.
SILENT_NAME_SERVER = """
ip link set lo up
echo 'nameserver 127.0.0.1
options timeout:30 attempts:3' > {home}/resolv.conf
echo 'hosts: dns' > {home}/nsswitch.conf
mount --bind {home}/resolv.conf /etc/resolv.conf
mount --bind {home}/nsswitch.conf /etc/nsswitch.conf
python3 -c '
import select, socket
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
print(flush=True)
reader = select.poll()
reader.register(1, 0)
reader.poll()' | {{ read line; exec "$@"; }}
"""
DYING_PHONE = """
mount -t tmpfs none /sys
mkdir -p /sys/bus/usb/devices/1-1
cd /sys/bus/usb/devices/1-1
cp {home}/descriptors .
echo 5 | tee devnum > busnum
echo 1 > bConfigurationValue
mkfifo serial
exec "$@"
"""
DESCRIPTORS = bytes.fromhex(
    "12 01 0002 00 00 00 40 d118 e74e 0001 01 02 03 01"  # device
    "09 02 2000 01 01 00 80 32 09 04 00 00 02 ff 42 01 00"  # configuration, interface
    "07 05 81 02 0002 00 07 05 01 02 0002 00")


def setUpModule():
    unshared = subprocess.run(["unshare", "-rmn", "ip", "link"], capture_output=True, check=False)
    if unshared.returncode != 0:
        raise unittest.SkipTest("no private network namespace can be made here")


class HangingSystem(peer.PeerTest):
    def run_in(self, namespace, *arguments):
        script = namespace.format(home=self.home.path)
        ran = subprocess.run(["unshare", "-rmn", "sh", "-ec", script, "sh", str(peer.BINARY.resolve()), *arguments],
                             env=self.home.environment(CLAWPERATOR_USB="1"), stdin=subprocess.DEVNULL,
                             capture_output=True, check=False, timeout=LIMIT_S)
        return ran.returncode, json.loads(ran.stdout)

    def test_a_silent_name_server_costs_no_more_than_the_limit(self):
        code, answer = self.run_in(SILENT_NAME_SERVER, "pair", "phone.example:5555", "123456",
                                   "--timeout", "300")
        self.assertEqual((code, answer["code"]), (1, "COMMAND_TIMEOUT"))

    def test_a_phone_that_hangs_is_left_out(self):
        (self.home.path / "descriptors").write_bytes(DESCRIPTORS)
        code, answer = self.run_in(DYING_PHONE, "devices", "--transport", "usb")
        self.assertEqual((code, answer), (0, {"devices": []}))


if __name__ == "__main__":
    unittest.main()
