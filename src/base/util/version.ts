import { readFileSync } from 'node:fs'

/** Put in by the build; absent where the sources run unbundled. */
declare const __REIN_VERSION__: string | undefined
declare const __REIN_BUILD__: string | undefined

export const version: string =
  typeof __REIN_VERSION__ === 'string'
    ? __REIN_VERSION__
    : JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version

/** What the sources call themselves that run unbundled: no build, and so no other one than any. */
export const unbuilt = 'sources'

/** Made of the sources: it differs where the number of the version does not. */
export const build: string = typeof __REIN_BUILD__ === 'string' ? __REIN_BUILD__ : unbuilt
