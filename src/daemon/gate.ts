import type { IncomingMessage } from 'node:http'

/**
 * What the loopback port lets in before any route is looked at. A page in a browser can send requests here too:
 * a foreign Host, a foreign Origin or a cross-site fetch is turned away whatever else it carries.
 */
export const passesGate = (request: IncomingMessage, port: number): boolean => {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  const { host, origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOneHost =
    request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length === 1
  return (
    isOneHost &&
    hosts.includes(host ?? '') &&
    (request.url ?? '').startsWith('/') &&
    (origin === undefined || hosts.some((one) => origin === `http://${one}`)) &&
    (site === undefined || site === 'same-origin' || site === 'none') &&
    (request.method === 'GET' || isJson(request) || receivePath.test(request.url ?? ''))
  )
}

const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')

/** Messages come in any form: each proves itself by a token or a signature, which a page of another site cannot have. */
export const receivePath = /^\/v1\/channels\/([a-z0-9_-]{1,32})$/
