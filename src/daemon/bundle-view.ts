import type { Manifest } from '../bundles/manifest.ts'
import type { BundleView } from '../contract/bundle-api-types.ts'

/** What a bundle says of itself, for whoever asks. */
export const bundleView = ({ turns, from: _, at: __, start: ___, ...manifest }: Manifest): BundleView => ({
  ...manifest,
  turns: turns.map(({ label, prompt, startedAt, model, files }) => ({
    label,
    prompt,
    startedAt,
    model,
    hasFiles: files !== null,
  })),
})
