// What a card shows of an org, as the gallery lists it or as the library does.
import type { Answer } from '#lib/api.ts'
import { homeOf, pathOf, voteTarget } from '#lib/features/library/item-lists.ts'
import { widthsOf } from '#lib/picture-widths.ts'
import type { ListedItem } from '#lib/server/library-list.ts'

type GalleryOrg = Answer<'orgs.list'>['items'][number]

/** The picture of an org: its banner, or its chart where it has none. */
const coverOf = (slug: string) => `${pathOf({ kind: 'org', slug })}/cover`

export const cardOfOrg = (org: GalleryOrg) => ({
  ...{ name: org.name, about: org.tagline ?? org.goal, home: org.url },
  cover: org.bannerUrl ?? coverOf(org.slug),
  widths: org.bannerUrl ? widthsOf(org.bannerUrl) : undefined,
  ...{ roleCount: org.roleCount as number | undefined, topology: org.topology, via: org.via },
  author: { username: org.authorUsername, id: org.authorId as string | undefined },
  vote: { target: `orgs/${org.id}`, score: org.score, mine: org.myVote } as OrgVote | undefined,
  ...{ runCount: org.runCount, commentCount: org.commentCount as number | undefined },
  ...{ version: undefined, team: undefined, state: undefined },
})

interface OrgVote {
  target: string
  score: number
  mine: number
}

/** `isOwn` where the list is of one's own: then it says who sees each. */
export function cardOfItem(item: ListedItem, isOwn: boolean) {
  const target = voteTarget(item)
  const life = item.deprecated ? ('deprecated' as const) : item.yanked ? ('yanked' as const) : undefined
  const seen = isOwn || item.visibility !== 'public' ? item.visibility : undefined
  return {
    ...{ name: item.name, about: item.description, home: homeOf(item) },
    cover: item.banner_url ?? coverOf(item.slug),
    widths: item.banner_url ? widthsOf(item.banner_url) : undefined,
    ...{ roleCount: item.roleCount, topology: item.topology ?? null, via: item.via },
    author: isOwn ? undefined : { username: item.owner.username, id: undefined },
    vote: target === undefined ? undefined : { target, score: item.score, mine: item.my_vote },
    ...{ runCount: item.run_count ?? 0, commentCount: target === undefined ? undefined : item.comment_count },
    ...{ version: item.version, team: item.team ?? undefined, state: life ?? seen },
  }
}

export type OrgCardView = ReturnType<typeof cardOfOrg> | ReturnType<typeof cardOfItem>
