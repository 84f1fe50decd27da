import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readTextInput } from './text-input.ts'

const stdin = (...chunks: (string | number[])[]): Readable =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)))

describe('the text to send', () => {
  test('is the argument as it is', async () => {
    await expect(readTextInput(' two\n lines \n', stdin())).resolves.toBe(' two\n lines \n')
  })

  test('- reads standard input, without byte order mark and last line break', async () => {
    await expect(readTextInput('-', stdin([0xef, 0xbb, 0xbf, 0xc3], [0xa4], 'b\n\n'))).resolves.toBe('äb\n')
  })

  test.each(['', ' \n\t'])('%j is no text', async (text) => {
    await expect(readTextInput(text, stdin())).rejects.toMatchObject({ code: 'empty_text', exitCode: 2 })
    await expect(readTextInput('-', stdin(text))).rejects.toMatchObject({ code: 'empty_text' })
  })

  test('what is no UTF-8 is refused', async () => {
    await expect(readTextInput('-', stdin([0x61, 0xff]))).rejects.toMatchObject({ code: 'invalid_text', exitCode: 2 })
  })

  test('endless input is not read to its end', async () => {
    let given = 0
    const mib = Buffer.alloc(1024 * 1024, 'a')
    const endless = new Readable({ read: () => void (given++, endless.push(mib)), highWaterMark: 1 })
    await expect(readTextInput('-', endless)).rejects.toMatchObject({ code: 'text_too_large', exitCode: 2 })
    expect(given).toBeLessThan(30)
  })
})
