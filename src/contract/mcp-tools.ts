// The lists of tools that MCP has.

/** `short`: the usual tools, in few words. `all`: every tool, with the schemas of answers. `two`: to look for operations, and to call them in a script. */
export const toolLists = ['short', 'all', 'two'] as const
export type ToolList = (typeof toolLists)[number]
