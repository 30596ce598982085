// The items of one kind as an Atom feed.
import { libraryFeed } from '#lib/server/library-feed.ts'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = ({ locals: { api }, params, url }) => libraryFeed(api, url, params.kind)
