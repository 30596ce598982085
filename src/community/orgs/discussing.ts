// Votes and comments on orgs. The library shows every org of the gallery, so it is handed in and counts its votes too.

import type { GalleryItems } from '../../content/gallery.ts'
import { commentHandlers, voteHandler } from '../../content/subjects/discussion-handlers.ts'
import type { Votable } from '../../content/things.ts'
import { getOrgId, store } from './queries.ts'
import { org } from './subject.ts'

type Library = Pick<GalleryItems, 'addToGalleryOrgs'>

export const votableIn = (library: Library): Votable & typeof store => ({
  ...store,
  async addScores(db, scores) {
    await store.addScores(db, scores)
    await library.addToGalleryOrgs(db, scores)
  },
})

export const discussingHandlers = (library: Library) => ({
  vote: voteHandler(votableIn(library), getOrgId),
  ...commentHandlers(store, org, getOrgId),
})
