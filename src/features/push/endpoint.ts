import { isIP } from 'node:net'
import { ReinError } from '../../contract/errors.ts'

/** The address that a browser got from its push service; `allowsLoopback` is for a fake one of tests. */
export const readEndpoint = (endpoint: string, allowsLoopback: boolean): URL => {
  if (!URL.canParse(endpoint)) throw notAccepted('is not an address.')
  const url = new URL(endpoint)
  if (allowsLoopback && isTestService(url)) return url
  if (url.protocol !== 'https:') throw notAccepted('does not begin with https://.')
  if (url.username !== '' || url.password !== '') throw notAccepted('has a user or a password.')
  if (isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) throw notAccepted('names an IP address, not a host.')
  return url
}

export const isTestService = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && hostname === '127.0.0.1'

/** Without the endpoint itself: who has it knows a part of what is needed to push. */
const notAccepted = (problem: string): ReinError =>
  new ReinError('usage', `The endpoint ${problem}`, 'It has to be the https address that the browser got.')
