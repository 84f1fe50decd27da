import type { IncomingMessage } from 'node:http'
import { socketPath } from '../contract/socket-terms.ts'

/**
 * What the loopback port lets in before any route is looked at. A page in a browser can send requests here too:
 * a foreign Host, a foreign Origin or a cross-site fetch is turned away whatever else it carries.
 * `more`: other names of this port, from the setting `web.hosts`.
 */
export const passesGate = (request: IncomingMessage, port: number, more: readonly string[] = []): boolean => {
  const here = `127.0.0.1:${port}`
  const own = [here, ...aliasesOf(port)]
  // Another user can have this port of ::1, where browsers look for localhost first: its page must not count as ours.
  const origins = [plain(here), ...more.flatMap((name) => [plain(name), `https://${name}`])]
  const { host = '', origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOneHost =
    request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length === 1
  return (
    isOneHost &&
    (own.includes(host) || more.includes(host.toLowerCase())) &&
    (request.url ?? '').startsWith('/') &&
    (origin === undefined || origins.includes(origin)) &&
    (site === undefined || site === 'same-origin' || site === 'none' || isVisit(request)) &&
    (request.method === 'GET' || isJson(request) || receivePath.test(request.url ?? ''))
  )
}

/**
 * Where the page is that was opened at another name of this port; null: it may stay. A page at that name loads, and all
 * that it asks is refused.
 */
export const pageElsewhere = (
  { url = '', method, headers: { host = '' } }: IncomingMessage,
  port: number,
  more: readonly string[] = [],
): string | null =>
  method === 'GET' && /^\/(\?|$)/.test(url) && aliasesOf(port).includes(host) && !more.includes(host)
    ? `${plain(`127.0.0.1:${port}`)}${url}`
    : null

/** Names of the port that are not the page's: programs may use them. */
const aliasesOf = (port: number): string[] => [`localhost:${port}`, `[::1]:${port}`]

/** The page's socket: browsers say on every upgrade which page asks, and a device signs for that one. */
export const isPageUpgrade = ({ url, method, headers }: IncomingMessage): boolean =>
  url === socketPath &&
  method === 'GET' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers.origin !== undefined

const plain = (name: string): string => `http://${name}`

/** Somebody follows a link to the page, in a tab of its own: nobody else gets to read it. */
const isVisit = ({ url, method, headers }: IncomingMessage): boolean =>
  url === '/' &&
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document'

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')

/** Messages come in any form: each proves itself by a token or a signature, which a page of another site cannot have. */
export const receivePath = /^\/v1\/channels\/([a-z0-9_-]{1,32})$/
