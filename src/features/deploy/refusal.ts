import type { Position } from '../../base/config/toml-layout.ts'

/** Why a file stays as it is, and where in it the reason stands. */
export class Refusal extends Error {
  readonly place: Position | null

  constructor(reason: string, place: Position | null = null) {
    super(reason)
    this.name = 'Refusal'
    this.place = place
  }
}
