type Env = Record<string, string | undefined>

const loopback = ['127.0.0.1', 'localhost', '::1']

/** The environment for a child: what Rein serves on this machine never goes through a proxy. */
export const childEnv = (env: Env): Env => {
  const exceptions = { upper: env['NO_PROXY'], lower: env['no_proxy'] }
  return {
    ...env,
    // Programs read either name, so the one that is missing gets what the other says.
    NO_PROXY: withLoopback(exceptions.upper ?? exceptions.lower),
    no_proxy: withLoopback(exceptions.lower ?? exceptions.upper),
  }
}

const withLoopback = (list = ''): string => {
  const hosts = list.split(/[\s,]+/).filter((host) => host !== '')
  if (hosts.includes('*')) return list
  const missing = loopback.filter((host) => !hosts.includes(host))
  return [list.trim(), ...missing].filter((part) => part !== '').join(',')
}

const schemes = new Set(['http:', 'https:', 'socks:', 'socks4:', 'socks4a:', 'socks5:', 'socks5h:'])

/** What looks odd about the proxy variables; no proxy at all is fine. Values are not shown: they may hold a password. */
export const proxyWarnings = (env: Env): string[] => {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  return [...names.flatMap((name) => addressWarning(env, name)), ...pairWarning(env), ...caseWarnings(env)]
}

const addressWarning = (env: Env, name: string): string[] => {
  const value = env[name]
  if (!value) return []
  if (!value.includes('://')) return [`${name} has no scheme; write it like http://proxy.example:8080.`]
  if (URL.canParse(value) && schemes.has(new URL(value).protocol)) return []
  return [`${name} is not the address of a proxy; write it like http://proxy.example:8080.`]
}

const pairWarning = (env: Env): string[] => {
  if (either(env, 'ALL_PROXY')) return []
  const http = either(env, 'HTTP_PROXY')
  const https = either(env, 'HTTPS_PROXY')
  if (http && !https) return ['HTTP_PROXY is set but HTTPS_PROXY is not: agents reach https addresses directly.']
  if (https && !http) return ['HTTPS_PROXY is set but HTTP_PROXY is not: agents reach http addresses directly.']
  return []
}

const caseWarnings = (env: Env): string[] =>
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
    .filter((name) => env[name] && env[name.toLowerCase()] && env[name] !== env[name.toLowerCase()])
    .map((name) => `${name} and ${name.toLowerCase()} differ: which one counts depends on the program.`)

const either = (env: Env, name: string): string | undefined => env[name] || env[name.toLowerCase()]
