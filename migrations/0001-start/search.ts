// The search: documents with their terms, words, and texts by trigrams. PostgreSQL and SQLite have their own indexes of full text.
import type { Room } from './room.ts'

const renameOwner = `update "itemText" set owner = coalesce(new."usernameKey", '')
  where "rowId" in (select "rowId" from "libraryItem" where "ownerId" = new.id and gallery = 0)`

/** The columns of a document; `terms` are those that PostgreSQL has in it. */
const document = (
  number: string,
  text: string,
  terms = '',
) => `"rowId" ${number} primary key, "id" ${text} not null unique,
  "type" ${text} not null, "counted" integer not null, "authorId" ${text}, "parentType" ${text}, "parentId" ${text},
  "title" ${text} not null, "names" ${text} not null, "url" ${text} not null, "createdAt" ${text}, "body" ${text} not null,
  ${terms}"viaClientId" ${text}, "meantBy" ${text}`

/** More indexes of documents, by the agent through which they came, and what they mean, as vectors of a machine of the operator. */
const afterDocuments = (text: string, client: string) => [
  'create index "searchDocument_via" on "searchDocument" ("viaClientId", "id") where "viaClientId" is not null',
  `create index "searchDocument_agent" on "searchDocument" ((${client}), "id") where "viaClientId" is not null`,
  'create index "searchDocument_unmeant" on "searchDocument" ("type", "rowId") where "meantBy" is null',
  `create table "meaning" ("id" ${text} primary key references "searchDocument" ("id") on delete cascade,
    "type" ${text} not null, "space" ${text} not null, "vector" ${text})`,
  'create index "meaning_newest" on "meaning" ("space", "type", "id")',
]

export const search: Room = {
  tables: {
    searchWord: `"word" text not null primary key, "term" text not null, "length" integer not null, "reversed" text`,
    searchCount: `"term" text not null primary key, "count" integer not null`,
    searchBuild: `
      "id" integer not null primary key, "version" integer not null, "stage" integer not null, "after" text not null, "doneAt" text
    `,
  },
  byKey: ['searchWord', 'searchCount'],
  indexes: {
    searchWord: {
      searchWord_length_word: '("length", "word") where "reversed" is not null',
      searchWord_length_reversed: '("length", "reversed") where "reversed" is not null',
    },
  },
  rows: [`insert into "searchBuild" ("id", "version", "stage", "after", "doneAt") values (1, 3, 0, '', '')`],
  sqlite: [
    // The keys are columns: an implicit one may change when the file is compacted.
    'create table "searchText" ("rowId" integer primary key, id text not null unique, type text not null, text text not null)',
    'create index "searchText_type_n" on "searchText" ("type", "rowId")',
    `create virtual table "searchIndex" using fts5(text, content='searchText', content_rowid='rowId', tokenize='trigram case_sensitive 1')`,
    `create trigger "searchText_added" after insert on "searchText" begin
      insert into "searchIndex"(rowid, text) values (new."rowId", new.text); end`,
    `create trigger "searchText_removed" after delete on "searchText" begin
      insert into "searchIndex"("searchIndex", rowid, text) values ('delete', old."rowId", old.text); end`,
    `create trigger "searchText_changed" after update on "searchText" begin
      insert into "searchIndex"("searchIndex", rowid, text) values ('delete', old."rowId", old.text);
      insert into "searchIndex"(rowid, text) values (new."rowId", new.text); end`,

    `create table "itemText" ("rowId" integer primary key references "libraryItem" ("rowId") on delete cascade,
      text text not null, owner text not null, facets text not null)`,
    `create virtual table "itemTextIndex" using fts5(text, owner, facets, content='itemText', content_rowid='rowId', tokenize='trigram case_sensitive 1')`,
    `create trigger "itemText_added" after insert on "itemText" begin
      insert into "itemTextIndex"(rowid, text, owner, facets) values (new."rowId", new.text, new.owner, new.facets); end`,
    `create trigger "itemText_removed" after delete on "itemText" begin
      insert into "itemTextIndex"("itemTextIndex", rowid, text, owner, facets)
      values ('delete', old."rowId", old.text, old.owner, old.facets); end`,
    `create trigger "itemText_changed" after update on "itemText" begin
      insert into "itemTextIndex"("itemTextIndex", rowid, text, owner, facets)
      values ('delete', old."rowId", old.text, old.owner, old.facets);
      insert into "itemTextIndex"(rowid, text, owner, facets) values (new."rowId", new.text, new.owner, new.facets); end`,
    `create trigger "itemText_owner" after update of "usernameKey" on "user"
      when new."usernameKey" is not old."usernameKey" begin ${renameOwner}; end`,

    `create table "searchDocument" (${document('integer', 'text')})`,
    'create index "searchDocument_parent" on "searchDocument" ("parentId", "counted") where "parentId" is not null',
    `create virtual table "searchTerms" using fts5(terms, content='', contentless_delete=1, detail='none', tokenize="ascii tokenchars '=.'")`,
    // Small leaves: a search reads whole ones.
    `insert into "searchTerms" ("searchTerms", rank) values ('pgsz', 1000)`,
    `create trigger "searchDocument_removed" after delete on "searchDocument" begin
      delete from "searchTerms" where rowid = old."rowId"; end`,
    ...afterDocuments('text', `substr("viaClientId", 1, instr("viaClientId" || char(10), char(10)) - 1)`),
  ],
  postgres: [
    'create table "searchText" (id text collate "C" primary key, type text collate "C" not null, text text not null)',
    'create index "searchText_trigrams" on "searchText" using gin (text gin_trgm_ops)',
    'create index "searchText_type_id" on "searchText" ("type", "id")',

    `create table "itemText" (
      "rowId" integer primary key constraint "itemText_n_fkey" references "libraryItem" ("rowId") on delete cascade,
      text text not null, owner text not null, facets text not null)`,
    'create index "itemText_trigrams" on "itemText" using gin (text gin_trgm_ops)',
    'create index "itemText_owners" on "itemText" using gin (owner gin_trgm_ops)',
    `create function "itemText_owner"() returns trigger language plpgsql as $$
      begin ${renameOwner}; return null; end $$`,
    `create trigger "itemText_owner" after update of "usernameKey" on "user" for each row
      when (new."usernameKey" is distinct from old."usernameKey") execute function "itemText_owner"()`,

    'create sequence "searchNumber"',
    `create table "searchDocument" (${document('bigint', 'text collate "C"', '"terms" tsvector not null, ')})`,
    'create index "searchDocument_parent" on "searchDocument" ("parentId", "counted") where "parentId" is not null',
    'create index "searchDocument_terms" on "searchDocument" using gin (terms)',
    ...afterDocuments('text collate "C"', `split_part("viaClientId", chr(10), 1)`),
  ],
}
