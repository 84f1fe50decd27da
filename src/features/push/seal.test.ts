import { createECDH } from 'node:crypto'
import fc from 'fast-check'
import ece from 'http_ece'
import { expect, test } from 'vitest'
import { isPoint, longestMessage, paddingOf, sealMessage } from './seal.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')

test('the example of RFC 8291, appendix A', () => {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  const receiver = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  const fresh = { salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'), sender }
  const sealed = sealMessage(Buffer.from('When I grow up, I want to be a watermelon'), receiver, 0, fresh)
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('another program opens what was sealed, whatever its length; that length hardly shows', () => {
  const receiver = createECDH('prime256v1')
  receiver.generateKeys()
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: longestMessage }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      (text, secret) => {
        const auth = Buffer.from(secret)
        const sealed = sealMessage(Buffer.from(text), { p256dh: receiver.getPublicKey(), auth })
        const opened = ece.decrypt(sealed, { version: 'aes128gcm', privateKey: receiver, authSecret: auth })
        expect(opened).toEqual(Buffer.from(text))
        expect(sealed.length).toBeLessThanOrEqual(4096)
        expect((sealed.length - 102) % 512).toBe(0)
      },
    ),
  )
})

test('a length that fits exactly is not filled up', () => {
  expect([511, 510, 512].map(paddingOf)).toEqual([0, 1, 511])
})

test('the same text is never sealed alike', () => {
  const receiver = createECDH('prime256v1')
  receiver.generateKeys()
  const seal = (): string =>
    sealMessage(Buffer.from('x'), { p256dh: receiver.getPublicKey(), auth: Buffer.alloc(16) }).toString('hex')
  expect(seal()).not.toBe(seal())
})

test('a key that is no point on the curve is told', () => {
  const receiver = createECDH('prime256v1')
  const key = receiver.generateKeys()
  expect(isPoint(key)).toBe(true)
  key[64] = (key[64] ?? 0) ^ 1
  expect(isPoint(key)).toBe(false)
  expect(isPoint(Buffer.alloc(65))).toBe(false)
})
