/** A directory's name, made a handle of. */
export const handleFor = (name: string): string => {
  const usable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64)
    .replace(/-+$/, '')
  return usable === '' ? 'agent' : usable
}
