const codePattern = /^#pair=([\w-]{16,128})$/

/** The code of a pairing link leaves the address bar and the history. Null: there is none; empty: there was something that is no code. */
export const takePairingCode = (): string | null => {
  const { hash } = location
  if (!hash.startsWith('#pair=')) return null
  history.replaceState(null, '', `${location.pathname}#/`)
  return codePattern.exec(hash)?.[1] ?? ''
}

/** Taken as this module is loaded: what reads the address imports it. */
export const pairingCode = takePairingCode()
