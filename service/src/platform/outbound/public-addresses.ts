import { isIP } from 'node:net'
import { networkList } from '../base/network-list.ts'

/**
 * Returns true if an address belongs to the public internet: not to this machine, its network or a tunnel that could
 * lead there. IPv6 uses an allow-list with exceptions, because everything outside 2000::/3 (loopback, link-local,
 * unique local, multicast, mapped and compatible IPv4, NAT64) is not public. IPv4 has no such range and needs a
 * deny-list.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address, 'ipv4')
    case 6:
      // A zone id names a network interface of this machine.
      return !address.includes('%') && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
    default:
      return false
  }
}

// The IANA special-purpose address registries (RFC 6890 and its updates).
const specialV4 = networkList([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, including the metadata services of cloud providers
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
])

const globalV6 = networkList(['2000::/3'])
const specialV6 = networkList([
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries any IPv4 address
  '3fff::/20', // documentation
])
