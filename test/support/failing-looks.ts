import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/** Lets every look at a process fail with this code, as when no descriptor is left; returns how to end that, as the test does by itself. */
export const failLooks = (code: string): (() => void) => {
  const real = fs.readFileSync
  const restore = (): void => {
    fs.readFileSync = real
    syncBuiltinESMExports()
  }
  const fail = (...args: Parameters<typeof real>): ReturnType<typeof real> => {
    if (!/^\/proc\/\d/.test(String(args[0]))) return real(...args)
    throw Object.assign(new Error(`${code}: ${String(args[0])}`), { code })
  }
  fs.readFileSync = fail as typeof real
  syncBuiltinESMExports()
  onTestFinished(restore)
  return restore
}
