import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesFrame, type Frame, FrameReader, messageFrame } from './frames.ts'

const frames = fc.array(
  fc.oneof(
    fc.jsonValue().map((value): Frame => ({ kind: 'message', value: JSON.parse(JSON.stringify(value)) as unknown })),
    fc.uint8Array({ maxLength: 200 }).map((bytes): Frame => ({ kind: 'bytes', bytes: Buffer.from(bytes) })),
  ),
)

const encoded = (all: readonly Frame[]): Buffer =>
  Buffer.concat(all.map((one) => (one.kind === 'message' ? messageFrame(one.value) : bytesFrame(one.bytes))))

test('what goes in comes out, wherever the stream is cut', () => {
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 50 }), (all, size) => {
      const [stream, reader, found] = [encoded(all), new FrameReader(), [] as Frame[]]
      for (let at = 0; at < stream.length; at += size) found.push(...reader.push(stream.subarray(at, at + size)))
      expect(found).toEqual(all)
    }),
  )
})

test.each([
  ['too long', Buffer.from([0xff, 0, 0, 0, 0x42])],
  ['of no kind', Buffer.from([0, 0, 0, 0, 0x58])],
  ['no JSON', Buffer.from([0, 0, 0, 1, 0x4a, 0x7b])],
])('a frame that is %s is refused', (_, bytes) => {
  expect(() => new FrameReader().push(bytes)).toThrow(/A frame of|JSON/)
})
