// The sample data of a new instance, as a feature of the application.
import type { Feature } from '../../content/manifest.ts'
import { lazily } from '../../request/lazily.ts'
import { samples } from './contract.ts'

export const samplesFeature = {
  handlers: { samples: lazily(samples, async () => (await import('./samples.ts')).handlers) },
} satisfies Feature
