/** A name or an address with or without a port, as browsers send it in `Host`. */
const hostPattern =
  /^(?:\[[0-9a-f:]{2,39}\]|[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?::(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]))?$/

/** Hosts that are separated by spaces, in small letters; null if one of them is none. */
export const readHosts = (text: string): string[] | null => {
  const hosts = text.toLowerCase().split(/\s+/).filter(Boolean)
  return hosts.every((host) => hostPattern.test(host)) ? hosts : null
}

/** This machine itself, where a browser trusts a page without TLS. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|[a-z0-9.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(host)
