import { ReinError } from '../../contract/errors.ts'
import { isLoopback } from '../../base/util/hosts.ts'
import { quoted } from '../../base/util/shell.ts'

/**
 * Where a browser reaches the page. `wanted` is 127.0.0.1 or one of `hosts` (the setting `web.hosts`); without one it is
 * the first of these. Browsers sign for secure pages only: this machine, or one with TLS.
 */
export const pageAddress = (wanted: string | undefined, hosts: readonly string[], port: number): string => {
  const host = wanted?.toLowerCase() ?? hosts[0] ?? here
  if (host === here) return `http://${here}:${port}`
  if (!hosts.includes(host))
    throw new ReinError(
      'usage',
      `${JSON.stringify(wanted)} is not in web.hosts${hosts.length === 0 ? ', which is empty' : `: ${hosts.join(', ')}`}.`,
      `Add it: rein config set web.hosts ${quoted([...hosts, host].join(' '))}, then: rein daemon stop`,
    )
  return `${isLoopback(host) ? 'http' : 'https'}://${host}`
}

const here = '127.0.0.1'
