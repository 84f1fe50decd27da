import { timingSafeEqual } from 'node:crypto'

/** How long it takes does not tell where two secrets differ. */
export const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
