import { effect, signal } from '@preact/signals'
import { failureText } from '../parts/failure-text.ts'
import { tellFailure } from '../parts/toast.tsx'
import { isOpen, link } from './api.ts'
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

// A browser that is let in shows its views: there is no page of the pairing to say it on.
effect(() => {
  if (!isOpen.value || pairing.value.step !== 'failed') return
  tellFailure(new Error(pairing.value.message))
  pairing.value = { step: 'none' }
})
