import type { LiveEvent } from '../contract/live.ts'

/** Announces an agent's model whenever it changes. */
export class LiveModel {
  name: string | null = null

  announce(model: string | null): LiveEvent[] {
    if (model === null || model === this.name) return []
    this.name = model
    return [{ kind: 'model', model }]
  }
}
