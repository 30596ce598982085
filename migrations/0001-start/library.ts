// The library: items with their members, teams, downloads, and orgs with their runs.
import type { Room } from './room.ts'

export const library: Room = {
  tables: {
    libraryItem: `
      "rowId" numbered primary key, "id" text not null unique, "kind" text not null, "slug" text not null, "name" text not null,
      "description" text not null, "keywords" text not null, "ownerId" text not null, "visibility" text not null,
      "listed" integer not null, "gallery" integer not null, "version" text not null, "sha256" text not null, "size" integer not null,
      "meta" text not null, "tags" text not null, "score" integer not null default 0, "commentCount" integer not null default 0,
      "createdAt" text not null, "updatedAt" text not null, "hidden" integer not null default 0, "heldSince" text,
      "newestVersion" text, "deprecation" text, "successor" text, "license" text, "yanked" integer not null default 0, "teamId" text,
      "viaClientId" text, "lifeAt" text, "rank" integer not null default 2067065
    `,
    itemTag: `
      "tag" text not null, "itemId" text not null references "libraryItem" ("id") on delete cascade,
      constraint "itemTag_key" primary key ("tag", "itemId")
    `,
    itemCount: `
      "scope" text not null, "tag" text not null, "count" integer not null, constraint "itemCount_key" primary key ("scope", "tag")
    `,
    libraryUpload: `"id" text not null primary key, "accountId" text not null, "at" text not null`,
    dependency: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "version" text not null, "kind" text not null,
      "slug" text not null, "shown" integer not null default 0, "place" integer, primary key ("itemId", "version", "kind", "slug")
    `,
    membership: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "accountId" text not null, "role" text not null,
      "since" text not null, primary key ("itemId", "accountId")
    `,
    team: `
      "id" text not null primary key, "slug" text not null unique, "name" text not null, "description" text not null,
      "hidden" integer not null default 0, "createdAt" text not null, "updatedAt" text not null
    `,
    teamMember: `
      "id" text not null primary key, "teamId" text not null references "team" ("id") on delete cascade, "accountId" text not null,
      "role" text not null, "since" text not null, "shown" integer not null default 1, unique ("teamId", "accountId")
    `,
    teamHandover: `"teamId" text not null, "accountId" text not null, primary key ("teamId", "accountId")`,
    invitation: `
      "id" text not null primary key, "itemId" text references "libraryItem" ("id") on delete cascade, "accountId" text,
      "role" text not null, "invitedBy" text not null, "createdAt" text not null, "expiresAt" text not null,
      "teamId" text references "team" ("id") on delete cascade, unique ("itemId", "accountId")
    `,
    itemDownloads: `"itemId" text not null primary key references "libraryItem" ("id") on delete cascade, "total" integer not null`,
    versionDownloads: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "version" text not null, "count" integer not null,
      primary key ("itemId", "version")
    `,
    dayDownloads: `
      "itemId" text not null references "libraryItem" ("id") on delete cascade, "day" text not null, "count" integer not null,
      primary key ("itemId", "day")
    `,
    countedDownload: `"day" text not null, "key" text not null, primary key ("day", "key")`,
    orgUpload: `
      "id" text not null primary key, "slug" text not null unique, "authorId" text not null, "name" text not null,
      "goal" text not null, "tagline" text, "description" text, "bannerUrl" text, "topology" text, "roleCount" integer not null,
      "score" integer not null default 0, "commentCount" integer not null default 0, "runCount" integer not null default 0,
      "sha256" text not null, "size" integer not null, "createdAt" text not null, "updatedAt" text not null,
      "hidden" integer not null default 0, "viaClientId" text
    `,
    orgPage: `
      "orgId" text not null primary key references "orgUpload" ("id") on delete cascade, "name" text not null, "goal" text not null,
      "body" text, "chart" text not null
    `,
    orgImage: `
      "id" text not null primary key, "orgId" text not null references "orgUpload" ("id") on delete cascade,
      "uploaderId" text not null, "contentType" text not null, "size" integer not null, "createdAt" text not null,
      "sha256" text collate "default"
    `,
    orgRun: `
      "id" text not null primary key, "orgId" text not null references "orgUpload" ("id") on delete cascade, "authorId" text not null,
      "label" text, "createdAt" text not null, "hidden" integer not null default 0, "viaClientId" text
    `,
    orgRunFile: `
      "id" text not null primary key, "runId" text not null references "orgRun" ("id") on delete cascade, "position" integer not null,
      "filename" text not null, "fileType" text not null, "sizeBytes" integer not null, "sha256" text collate "default",
      constraint "orgRunFile_order" unique ("runId", "position")
    `,
  },
  byKey: ['itemTag', 'itemCount', 'membership', 'teamHandover'],
  indexes: {
    libraryItem: {
      libraryItem_slug: 'unique ("kind", "slug")',
      libraryItem_listed_latest: '("listed", "updatedAt", "id")',
      libraryItem_listed_popular: '("listed", "score", "updatedAt", "id")',
      libraryItem_listed_kind_latest: '("listed", "kind", "updatedAt", "id")',
      libraryItem_listed_kind_popular: '("listed", "kind", "score", "updatedAt", "id")',
      libraryItem_ownerId_latest: '("ownerId", "updatedAt", "id")',
      libraryItem_ownerId_popular: '("ownerId", "score", "updatedAt", "id")',
      libraryItem_visibility_latest: '("visibility", "updatedAt", "id") where "listed" = 1',
      libraryItem_visibility_popular: '("visibility", "score", "updatedAt", "id") where "listed" = 1',
      libraryItem_visibility_kind_latest: '("visibility", "kind", "updatedAt", "id") where "listed" = 1',
      libraryItem_visibility_kind_popular: '("visibility", "kind", "score", "updatedAt", "id") where "listed" = 1',
      libraryItem_of_owner: '("ownerId", "id")',
      libraryItem_team: '("teamId", "ownerId", "id") where "teamId" is not null',
      libraryItem_listed_best: '("listed", "rank", "updatedAt", "id")',
      libraryItem_listed_kind_best: '("listed", "kind", "rank", "updatedAt", "id")',
      libraryItem_visibility_best: '("visibility", "rank", "updatedAt", "id") where "listed" = 1',
      libraryItem_visibility_kind_best: '("visibility", "kind", "rank", "updatedAt", "id") where "listed" = 1',
      libraryItem_ownerId_best: '("ownerId", "rank", "updatedAt", "id")',
    },
    itemTag: {
      itemTag_item: '("itemId")',
    },
    itemCount: {
      itemCount_order: '("scope", "count" desc, "tag")',
    },
    libraryUpload: {
      libraryUpload_account: '("accountId", "at")',
      libraryUpload_age: '("at")',
    },
    dependency: {
      dependency_shown: '("kind", "slug", "itemId") where "shown" = 1',
    },
    membership: {
      membership_account: '("accountId", "itemId")',
    },
    teamMember: {
      teamMember_account: '("accountId", "id")',
    },
    invitation: {
      invitation_account: '("accountId", "id")',
      invitation_inviter: '("invitedBy", "id")',
      invitation_age: '("expiresAt")',
      invitation_team: 'unique ("teamId", "accountId")',
    },
    dayDownloads: {
      dayDownloads_day: '("day")',
    },
    orgUpload: {
      orgUpload_sha256: '("sha256")',
      orgUpload_authorId_createdAt_id: '("authorId", "createdAt", "id") where "hidden" = 0',
      orgUpload_authorId_score_createdAt_id: '("authorId", "score", "createdAt", "id") where "hidden" = 0',
      orgUpload_createdAt_id: '("createdAt", "id") where "hidden" = 0',
      orgUpload_score_createdAt_id: '("score", "createdAt", "id") where "hidden" = 0',
      orgUpload_of_author: '("authorId", "id")',
      orgUpload_agents_latest: '("createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
      orgUpload_agents_popular: '("score", "createdAt", "id") where "hidden" = 0 and "viaClientId" is not null',
    },
    orgImage: {
      orgImage_orgId: '("orgId")',
      orgImage_uploaderId_id: '("uploaderId", "id")',
    },
    orgRun: {
      orgRun_authorId_id: '("authorId", "id")',
      orgRun_orgId_createdAt_id: '("orgId", "createdAt", "id") where "hidden" = 0',
      orgRun_org: '("orgId")',
    },
  },
}
