// The gallery of orgs, with their pictures and runs. The library shows every org, so it is handed in.

import type { GalleryItems } from '../../content/gallery.ts'
import type { Feature } from '../../content/manifest.ts'
import { discussingHandlers, votableIn } from './discussing.ts'
import { orgErasure } from './erasure.ts'
import { orgHandlers } from './handlers.ts'
import { handlers as orgImages } from './images/handlers.ts'
import { orgHiding, orgRemoval } from './orgs.ts'
import { store } from './queries.ts'
import { handlers as orgRuns } from './runs/handlers.ts'
import { runHiding } from './runs/hiding.ts'

export const orgsFeature = (library: GalleryItems) =>
  ({
    handlers: {
      orgs: { ...orgHandlers({ library, removeOrg: orgRemoval(library) }), ...discussingHandlers(library) },
      orgImages,
      orgRuns,
    },
    commentables: [store],
    votables: [votableIn(library)],
    hidings: [orgHiding(library), runHiding],
    erasure: { steps: () => orgErasure(library) },
  }) satisfies Feature
