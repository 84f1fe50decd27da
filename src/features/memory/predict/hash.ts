/** Mixes a number into a 32-bit hash. */
export const mix = (hash: number, value: number): number => {
  const mixed = Math.imul((hash ^ value) | 0, 0x9e3779b1)
  return (mixed ^ (mixed >>> 15)) | 0
}

export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return mix(hash | 0, text.length)
}
