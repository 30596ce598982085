// Labels, as a feature of the application.

import { lazily } from '../../request/lazily.ts'
import { tableSource } from '../../search/building-queries.ts'
import { labelDocument } from '../../search/things.ts'
import { labels } from '../labelled/contract.ts'
import { lockLabel } from '../labelled/queries.ts'
import type { Feature } from '../manifest.ts'
import { titlesIn } from '../title-queries.ts'

export const labelsFeature = {
  handlers: { labels: lazily(labels, async () => (await import('./handlers.ts')).handlers) },
  titles: {
    label: titlesIn('label', ['id', 'name'], (label) => {
      const { id, title, url } = labelDocument(label)
      return { id, title, url }
    }),
  },
  searchSources: [
    tableSource({ table: 'label', columns: ['id', 'name'], type: 'label', canHide: false }, labelDocument),
  ],
  paths: { label: ['/community/labels/{id}'] },
  locks: { label: lockLabel },
} satisfies Feature
