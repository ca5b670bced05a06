// Imports that the pass Asyncify puts something in place of, after the link.
mergeInto(LibraryManager.library, {
    start_unwind: function() {},
    stop_unwind: function() {},
    start_rewind: function() {},
    stop_rewind: function() {},
});
