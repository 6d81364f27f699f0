/** The owner of one IPv6 address owns the whole /64 around it, so a /64 counts as one address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  if (tail === undefined) return groups.slice(0, 4).join(':')
  const following = tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - following.length) }, () => '0')
  return [...groups, ...zeros, ...following].slice(0, 4).join(':')
}
