const codePattern = /^#pair=([\w-]{16,128})$/

/** The code leaves the address bar and the history as this module is loaded: what reads the address imports it. */
const takeCode = (): string | null => {
  const { hash } = location
  if (!hash.startsWith('#pair=')) return null
  history.replaceState(null, '', `${location.pathname}#/`)
  return codePattern.exec(hash)?.[1] ?? ''
}

/** Empty: there was something that is no code. */
export const pairingCode = takeCode()
