/** Returns the address of a cell's database, without login and password: `postgres://host:5432/database?sslmode=…`. */
export function addressOf(url: string): string {
  const address = new URL(url)
  address.username = ''
  address.password = ''
  return address.href
}

/**
 * Returns the database of a cell with the login of another URL, because all databases of an installation know the same
 * logins. Without an address, returns that URL.
 */
export function withAddress(loginUrl: string, address: string | null): string {
  if (address === null) return loginUrl
  const [url, { username, password }] = [new URL(address), new URL(loginUrl)]
  url.username = username
  url.password = password
  return url.href
}
