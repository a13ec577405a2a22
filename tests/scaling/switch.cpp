// SPDX-License-Identifier: MIT
// An Ethernet switch as a program, for kernels that cannot delay packets (no netem):
//
//     halotherm_switch MICROSECONDS MBIT_PER_S NAMESPACE...
//
// puts an interface "shaped0" into each network namespace and carries frames between them. Every
// frame spends MICROSECONDS on its way, and each namespace sends and receives at most MBIT_PER_S
// (0: no limit) at a time. The n-th interface has the MAC address 02:00:00:00:00:n, n from 1 on.
// Prints "ready", and ends, with its interfaces, when its standard input does.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::nanoseconds;

constexpr std::size_t largest_frame =
    65536 + 64;                     // as the kernel hands out what is yet to be cut into packets
constexpr std::size_t header = 10;  // in front of it: virtio_net_hdr, whose own header is no C++
constexpr int frames_at_once = 16;
constexpr int mtu = 9000;

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// An interface of whole TCP segments of up to 64 kB: cut into packets, they could not be carried
/// at more than some Gbit/s.
int interface_in(const std::string& name, int number) {
  const int space =
      checked(open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC), name.c_str());
  checked(setns(space, CLONE_NEWNET), "setns");
  close(space);
  const int file = checked(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), "/dev/net/tun");
  ifreq request{};
  std::strcpy(request.ifr_name, "shaped0");
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  checked(ioctl(file, TUNSETIFF, &request), "TUNSETIFF");
  checked(ioctl(file, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4), "TUNSETOFFLOAD");
  const int socket_of_space = checked(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
  request.ifr_mtu = mtu;
  checked(ioctl(socket_of_space, SIOCSIFMTU, &request), "SIOCSIFMTU");
  request.ifr_hwaddr = {.sa_family = ARPHRD_ETHER,
                        .sa_data = {2, 0, 0, 0, 0, static_cast<char>(number)}};
  checked(ioctl(socket_of_space, SIOCSIFHWADDR, &request), "SIOCSIFHWADDR");
  close(socket_of_space);
  return file;
}

struct Frame {
  Clock::time_point due;
  std::vector<char> bytes;
};

struct Port {
  int file;
  Clock::time_point sends_until;  ///< its cable is busy, in each direction
  Clock::time_point receives_until;
  std::deque<Frame> coming;
};

class Switch {
 public:
  Switch(Nanoseconds delay, double bits_per_second, const std::vector<std::string>& namespaces)
      : delay_(delay), bits_per_second_(bits_per_second) {
    for (const auto& name : namespaces)
      ports_.push_back({interface_in(name, static_cast<int>(ports_.size()) + 1), {}, {}, {}});
  }

  void run() {
    std::vector<pollfd> files{{STDIN_FILENO, POLLIN, 0}};
    for (const auto& port : ports_) files.push_back({port.file, POLLIN, 0});
    while ((files[0].revents & (POLLIN | POLLHUP)) == 0) {
      const auto pause = until_next();
      const timespec time{static_cast<time_t>(pause.count() / 1000000000),
                          static_cast<long>(pause.count() % 1000000000)};
      if (ppoll(files.data(), files.size(), &time, nullptr) < 0) checked(-1, "ppoll");
      for (std::size_t n = 0; n < ports_.size(); ++n) {
        if (files[n + 1].revents != 0) take_from(n);
      }
      for (auto& port : ports_) deliver_to(port);
    }
  }

 private:
  Nanoseconds until_next() const {
    const auto now = Clock::now();
    auto next = now + std::chrono::hours(1);
    for (const auto& port : ports_) {
      if (!port.coming.empty()) next = std::min(next, port.coming.front().due);
    }
    return std::max<Nanoseconds>(next - now, Nanoseconds(0));
  }

  void take_from(std::size_t sender) {
    for (int n = 0; n < frames_at_once; ++n) {
      const auto length = read(ports_[sender].file, buffer_.data(), buffer_.size());
      if (length < static_cast<ssize_t>(header + ETH_ALEN)) return;
      const auto* address = buffer_.data() + header;
      const bool to_all = (address[0] & 1) != 0;
      const auto sent = sent_by(ports_[sender], static_cast<std::size_t>(length));
      for (std::size_t to = 0; to < ports_.size(); ++to) {
        if (to != sender && (to_all || address[ETH_ALEN - 1] == static_cast<char>(to + 1)))
          send(ports_[to], sent, length);
      }
    }
  }

  Nanoseconds on_the_wire(std::size_t length) const {
    return Nanoseconds(
        bits_per_second_ > 0
            ? static_cast<std::int64_t>(8e9 * static_cast<double>(length) / bits_per_second_)
            : 0);
  }

  /// When the last bit has left the sender.
  Clock::time_point sent_by(Port& port, std::size_t length) const {
    port.sends_until = std::max(Clock::now(), port.sends_until) + on_the_wire(length);
    return port.sends_until;
  }

  /// A receiver's cable takes the first bits while the last ones are still being sent.
  void send(Port& port, Clock::time_point sent, ssize_t length) const {
    const auto bytes = static_cast<std::size_t>(length);
    port.receives_until = std::max(sent, port.receives_until + on_the_wire(bytes));
    port.coming.push_back(
        {port.receives_until + delay_, {buffer_.data(), buffer_.data() + length}});
  }

  static void deliver_to(Port& port) {
    while (!port.coming.empty() && port.coming.front().due <= Clock::now()) {
      const auto& bytes = port.coming.front().bytes;
      // an interface that is not up takes none: as where no cable is plugged in, it is lost
      [[maybe_unused]] const auto taken = write(port.file, bytes.data(), bytes.size());
      port.coming.pop_front();
    }
  }

  Nanoseconds delay_;
  double bits_per_second_;
  std::vector<Port> ports_;
  std::array<char, header + largest_frame> buffer_{};
};

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 5)
      throw std::runtime_error("halotherm_switch MICROSECONDS MBIT_PER_S NAMESPACE NAMESPACE...");
    const auto delay = Nanoseconds(static_cast<std::int64_t>(1e3 * std::stod(arguments[1])));
    Switch hub(delay, 1e6 * std::stod(arguments[2]), {arguments + 3, arguments + count});
    const sched_param first{
        .sched_priority =
            1};  // before programs that poll; without the right to it, delays vary more
    if (sched_setscheduler(0, SCHED_FIFO, &first) < 0) std::perror("no real-time priority");
    std::puts("ready");
    std::fflush(stdout);
    hub.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "halotherm_switch: %s\n", error.what());
    return 1;
  }
}
