import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { ReinError } from '../../contract/errors.ts'

/** IPv4 for special purposes (IANA): this machine, private networks, carriers' and documentation, multicast. */
const special4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
/** Of the public part of IPv6: tunnels, which lead to any IPv4 address, and documentation. */
const special6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [network, bits] of special4) special.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of special6) special.addSubnet(network, bits, 'ipv6')
const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address leads out of this machine and its networks. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && public6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

interface Address {
  address: string
  family: number
}
type Resolve = (host: string) => Promise<Address[]>

const resolveAll: Resolve = (host) => lookup(host, { all: true })

/** The addresses of a host; refused if one of them is of this machine or a private network. */
export const resolvePublic = async (host: string, resolve: Resolve = resolveAll): Promise<Address[]> => {
  const addresses = await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new ReinError('unavailable', `The address of ${host} cannot be found.`)
  if (!addresses.every(({ address }) => isPublicAddress(address)))
    throw new ReinError('refused', `${host} is in a private network.`, 'Push services are on the Internet.')
  return addresses
}

/** For a connection: what was checked is what it goes to, whatever the name means a moment later. */
export const lookupPublic: LookupFunction = (host, { all }, callback) => {
  const answer = async (): Promise<void> => {
    try {
      const addresses = await resolvePublic(host)
      const [first] = addresses
      if (all === true) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family)
    } catch (cause) {
      callback(cause as Error, [])
    }
  }
  void answer()
}
