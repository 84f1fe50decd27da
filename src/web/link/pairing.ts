import { signal } from '@preact/signals'
import { failureText } from '../parts/failure-text.ts'
import { link } from './api.ts'
import { guessName, pair } from './device.ts'

type PairingState = { step: 'none' } | { step: 'pairing' } | { step: 'failed'; message: string }

export const pairing = signal<PairingState>({ step: 'none' })

export const pairWith = async (code: string): Promise<void> => {
  pairing.value = { step: 'pairing' }
  try {
    await pair(code, guessName(navigator.userAgent))
    pairing.value = { step: 'none' }
  } catch (cause) {
    pairing.value = { step: 'failed', message: failureText(cause) }
  }
  link.start()
}
