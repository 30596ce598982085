// What the sample data is: a welcome, three labels, two bugs and a request, in the language of the set-up.

import de from '../../../messages/samples/de.json' with { type: 'json' }
import en from '../../../messages/samples/en.json' with { type: 'json' }
import type { SamplesMessages } from '../../../messages/samples/keys.ts'
import { catalogueOf, speaker, type Words } from '../../language/words.ts'
import { sha256 } from '../../runtime/hash.ts'

type SampleWords = Words<SamplesMessages>

export const sampleWords = speaker<SamplesMessages>(catalogueOf({ samples: { en, de } }))

export const sampleLabels = [
  { name: 'start', color: '#2f7d4f' },
  { name: 'design', color: '#7a4fb5' },
  { name: 'question', color: '#2b6cb0' },
] as const

export const samplesIn = (t: SampleWords) => ({
  labels: [
    { ...sampleLabels[0], name: t('samples.label.start'), description: t('samples.label.startAbout') },
    { ...sampleLabels[1], name: t('samples.label.design'), description: t('samples.label.designAbout') },
    { ...sampleLabels[2], name: t('samples.label.question'), description: t('samples.label.questionAbout') },
  ],
  post: { title: t('samples.post.title'), body: t('samples.post.body') },
  bugs: [
    { title: t('samples.bug.slow'), description: t('samples.bug.slowText'), severity: 'medium' as const },
    { title: t('samples.bug.mail'), description: t('samples.bug.mailText'), severity: 'low' as const },
  ],
  feature: { title: t('samples.feature.title'), description: t('samples.feature.text') },
})

/** Changes with everything of a sample that members can change. */
export const fingerprintOf = (parts: readonly (string | number | null)[]): string => sha256(JSON.stringify(parts))
