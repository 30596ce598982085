// Labels, as a feature of the application.

import type { Feature } from '../../content/manifest.ts'
import { titlesIn } from '../../content/title-queries.ts'
import { tableSource } from '../../search/source-queries.ts'
import { labelDocument } from '../../search/things.ts'
import { handlers } from './handlers.ts'
import { lockLabel } from './queries.ts'

export const labelsFeature = {
  handlers: { labels: handlers },
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
