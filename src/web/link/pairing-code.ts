const codePattern = /^#pair=([\w-]{16,128})$/

/** A script of its own, before everything else: the code leaves the address bar and the history before any other code reads them. */
const takeCode = (): string | null => {
  const { hash } = location
  if (!hash.startsWith('#pair=')) return null
  history.replaceState(null, '', `${location.pathname}#/`)
  return codePattern.exec(hash)?.[1] ?? ''
}

/** Empty: there was something that is no code. */
export const pairingCode = takeCode()
