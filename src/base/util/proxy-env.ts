type Env = Record<string, string | undefined>

const loopback = ['127.0.0.1', 'localhost', '::1']

/** The environment of a child: requests to Rein on this machine never go through a proxy. */
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

/** Warnings about the proxy variables. Values are not shown: they may contain a password. */
export const proxyWarnings = (env: Env): string[] => {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  const warnings: string[] = []
  for (const name of names) {
    const value = env[name]
    if (!value) continue
    if (!value.includes('://')) warnings.push(`${name} has no scheme; write it like http://proxy.example:8080.`)
    else if (!URL.canParse(value) || !schemes.has(new URL(value).protocol))
      warnings.push(`${name} is not the address of a proxy; write it like http://proxy.example:8080.`)
  }
  const [http, https, all] = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map(
    (name) => env[name] || env[name.toLowerCase()],
  )
  if (!all && http && !https)
    warnings.push('HTTP_PROXY is set but HTTPS_PROXY is not: agents reach https addresses directly.')
  if (!all && https && !http)
    warnings.push('HTTPS_PROXY is set but HTTP_PROXY is not: agents reach http addresses directly.')
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
    const [upper, lower] = [env[name], env[name.toLowerCase()]]
    if (upper && lower && upper !== lower)
      warnings.push(`${name} and ${name.toLowerCase()} differ: which one counts depends on the program.`)
  }
  return warnings
}
