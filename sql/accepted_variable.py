"""Doris's own session variables that are stored and shown, without effect on one node.

Names only, with Doris's defaults where they matter to a reader; data of sql/variable_table.py.
Source: Doris documentation, "Variables".
"""

from __future__ import annotations

_ON = """
check_overflow_for_decimal check_orc_init_sargs_success
delete_without_partition enable_aggregate_function_null_v2 enable_ann_index_result_cache
enable_auto_analyze enable_auto_analyze_internal_catalog enable_binary_search_filtering_partitions
enable_broadcast_join_force_passthrough enable_bucket_shuffle_join enable_bushy_tree enable_condition_cache
enable_cost_based_join_reorder enable_count_on_index_pushdown enable_count_push_down_for_external_table
enable_cte_materialize enable_decoupled_runtime_filter enable_distinct_streaming_agg_force_passthrough
enable_distinct_streaming_aggregation enable_dml_materialized_view_rewrite enable_dphyp_optimizer
enable_es_parallel_scroll enable_expr_zonemap_filter enable_fallback_on_missing_inverted_index
enable_fallback_to_original_planner enable_fold_nondeterministic_fn enable_insert_value_auto_cast
enable_inverted_index_query enable_inverted_index_query_cache enable_inverted_index_searcher_cache
enable_inverted_index_wand_query enable_jdbc_cast_predicate_push_down enable_left_semi_direct_return_opt
enable_left_zig_zag enable_local_exchange enable_local_exchange_before_agg enable_local_merge_sort
enable_local_shuffle enable_match_without_inverted_index enable_materialized_view_nest_rewrite
enable_materialized_view_rewrite enable_materialized_view_union_rewrite enable_memtable_on_sink_node
enable_nereids_distribute_planner enable_nereids_dml enable_nereids_dml_with_pipeline enable_nereids_planner
enable_nereids_timeout enable_new_shuffle_hash_method enable_no_need_read_data_opt enable_odbc_transcation
enable_orc_filter_by_min_max enable_orc_lazy_materialization enable_page_cache enable_parallel_result_sink
enable_parallel_scan enable_parquet_filter_by_bloom_filter enable_parquet_filter_by_min_max
enable_parquet_lazy_materialization enable_partition_topn enable_pipeline_engine enable_pipeline_x_engine
enable_projection enable_push_down_no_group_agg enable_pushdown_minmax_on_unique enable_pushdown_string_minmax
enable_reserve_memory enable_rewrite_element_at_to_slot enable_rpc_opt_for_pipeline
enable_runtime_filter_partition_prune enable_runtime_filter_prune enable_segment_limit_pushdown
enable_server_side_prepared_statement
enable_share_hash_table_for_broadcast_join enable_shared_exchange_sink_buffer enable_shared_scan
enable_short_circuit_query enable_shuffle_key_prune enable_single_distinct_column_opt
enable_snapshot_point_query enable_sql_cache enable_stats enable_streaming_agg_hash_join_force_passthrough
enable_strict_consistency_dml enable_strong_consistency_read enable_sync_runtime_filter_size
enable_text_validate_utf8 enable_two_phase_read_opt enable_unicode_name_support enable_use_hybrid_sort
expand_runtime_filter_by_inner_join fallback_other_replica_when_fixed_corrupt fetch_all_fe_for_system_table
fetch_hive_row_count_sync forward_to_master ignore_storage_data_distribution jdbc_clickhouse_query_final
optimize_index_scan_parallelism prefer_udf_over_builtin return_object_data_as_binary_compatible
retry_origin_sql_on_convert_fail show_user_default_role short_circuit_evaluation
truncate_char_or_varchar_columns use_max_length_of_varchar_in_ctas use_rf_default use_serial_exchange
use_one_phase_agg_for_group_concat_with_order
"""

_OFF = """
agg_shuffle_use_parent_key allow_modify_materialized_view_data bypass_workload_group
cloud_force_sync_tablet_stats cloud_force_sync_version cloud_partitions_table_use_cached_visible_version
debug_skip_fold_constant decompose_repeat_shuffle_index_in_max_group describe_extend_variant_column
disable_colocate_plan disable_empty_partition_prune disable_file_cache disable_join_reorder
disable_streaming_preaggregations dry_run_query dump_heap_profile_when_mem_limit_exceeded dump_nereids_memo
enable_add_index_for_new_data enable_analyze_complex_type_column
enable_colocate_mapping_constraint enable_cooldown_replica_affinity enable_decimal256
enable_dml_materialized_view_rewrite_when_base_table_unawareness enable_dphyp_trace
enable_eventual_consistent_change enable_expr_trace enable_ext_func_pred_pushdown enable_extended_regex
enable_fast_analyze_into_values enable_file_cache enable_file_scanner_v2 enable_fold_constant_by_be
enable_force_spill enable_function_pushdown enable_fuzzy_blockable_task enable_group_commit_full_prepare
enable_hbo_info_collection enable_hbo_nonstrict_matching_mode enable_hbo_optimization enable_hive_sql_cache
enable_iceberg_merge_partitioning enable_infer_predicate enable_jdbc_oracle_null_predicate_push_down
enable_local_exchange_before_streaming_agg enable_local_shuffle_planner
enable_low_confidence_eq_join_remaining_condition_decay enable_multi_cluster_sync_load enable_nereids_trace
enable_ordered_scan_range_locations enable_paimon_cpp_reader enable_parallel_outfile
enable_parquet_file_page_cache enable_partition_analyze enable_preload_external_metadata
enable_prepared_stmt_audit_log enable_profile enable_prune_nested_column enable_query_cache
enable_query_cache_incremental enable_save_statistics_sync_job enable_schema_scan_from_master_fe
enable_short_circuit_query_access_column_store enable_single_replica_insert enable_spill
enable_topn_lazy_mat_phase2_no_write_file_cache enable_unified_load enable_variant_flatten_nested
enable_variant_schema_auto_cast enable_variant_v2 enable_vectorized_engine event_scheduler
forbid_unknown_col_stats force_jni_scanner force_sample_analyze group_by_and_having_use_alias_first
hive_orc_use_column_names hive_parquet_use_column_names inverted_index_compatible_read keep_carriage_return
materialized_view_rewrite_enable_contain_external_table query_cache_force_refresh read_csv_empty_line_as_null
read_hive_json_in_one_column return_object_data_as_binary round_precise_decimalv2_value
runtime_filter_wait_infinitely show_column_comment_in_describe skip_bad_tablet skip_checking_acid_version_file
skip_delete_bitmap skip_delete_predicate skip_delete_sign skip_missing_version skip_prune_predicate
skip_storage_engine_merge trim_tailing_spaces_for_external_table_query
"""

_NUMBERS: dict[str, int] = {
    "adaptive_pipeline_task_serial_read_on_limit": 10000,
    "auto_analyze_table_width_threshold": 300,
    "auto_profile_threshold_ms": -1,
    "batch_size": 4064,
    "be_number_for_test": -1,
    "broadcast_right_table_scale_factor": 0,
    "broadcast_row_count_limit": 30000000,
    "broker_load_batch_size": 16352,
    "cache_hot_spot_insert_timeout_second": 30,
    "cache_sorted_partition_interval_second": 10,
    "change_visible_timeout_ms": 10000,
    "cloud_partition_version_cache_ttl_ms": 0,
    "cloud_table_version_cache_ttl_ms": 0,
    "colocate_max_parallel_num": 128,
    "cpu_resource_limit": -1,
    "create_table_partition_max_num": 10000,
    "data_queue_max_blocks": 1,
    "dml_plan_retry_times": 3,
    "dphyper_limit": 1000,
    "exchange_multi_blocks_byte_size": 262144,
    "exec_mem_limit": 2147483648,
    "external_table_analyze_part_num": 6,
    "external_table_auto_analyze_interval_in_millis": 86400000,
    "fetch_remote_schema_timeout_seconds": 120,
    "fetch_splits_max_wait_time_ms": 1000,
    "file_cache_query_limit_bytes": -1,
    "file_cache_query_limit_percent": -1,
    "file_split_size": 0,
    "full_sort_max_buffered_bytes": 67108864,
    "generate_stats_factor": 5,
    "huge_table_auto_analyze_interval_in_millis": 0,
    "huge_table_default_sample_rows": 4194304,
    "huge_table_lower_bound_size_in_bytes": 0,
    "in_list_value_count_threshold": 10,
    "inline_cte_referenced_threshold": 1,
    "insert_visible_timeout_ms": 60000,
    "inverted_index_max_expansions": 50,
    "inverted_index_skip_threshold": 50,
    "join_order_time_limit": 1000,
    "load_stream_per_node": 2,
    "local_exchange_free_blocks_limit": 4,
    "low_memory_mode_buffer_limit": 33554432,
    "materialized_view_relation_mapping_max_count": 8,
    "materialized_view_rewrite_duration_threshold_ms": 1000,
    "materialized_view_rewrite_success_candidate_num": 3,
    "max_column_reader_num": 20000,
    "max_fetch_remote_schema_tablet_count": 512,
    "max_file_scanners_concurrency": 0,
    "max_file_split_num": 100000,
    "max_file_split_size": 67108864,
    "max_initial_file_split_num": 200,
    "max_initial_file_split_size": 33554432,
    "max_instance_num": 64,
    "max_join_number_bushy_tree": 8,
    "max_join_number_of_reorder": 63,
    "max_msg_size_of_result_receiver": 104857600,
    "max_prepared_stmt_count": 100000,
    "max_pushdown_conditions_per_column": -1,
    "max_scan_key_num": -1,
    "max_scanners_concurrency": 0,
    "max_table_count_use_cascades_join_reorder": 10,
    "min_decoupled_rf_target_rows": 0,
    "min_file_scanners_concurrency": 1,
    "min_scan_scheduler_concurrency": 0,
    "min_scanners_concurrency": 1,
    "minimum_operator_memory_required_kb": 1000,
    "nereids_timeout_second": 30,
    "nth_optimized_plan": 1,
    "num_files_in_batch_mode": 1024,
    "num_of_external_scanner_threads": 0,
    "num_partitions_in_batch_mode": 1024,
    "num_scanner_threads": 0,
    "orc_max_merge_distance_bytes": 1048576,
    "orc_once_max_read_bytes": 8388608,
    "orc_tiny_stripe_threshold_bytes": 8388608,
    "parallel_exchange_instance_num": 100,
    "parallel_fragment_exec_instance_num": 8,
    "parallel_pipeline_task_num": 0,
    "parallel_prepare_threshold": 32,
    "parallel_scan_max_scanners_count": 0,
    "parallel_scan_min_rows_per_scanner": 2097152,
    "parallel_sync_analyze_task_num": 2,
    "partition_pruning_expand_threshold": 10,
    "partition_sample_count": 30,
    "partition_sample_row_count": 3000000,
    "partition_topn_max_partitions": 1024,
    "partition_topn_pre_partition_rows": 1000,
    "preferred_block_size_bytes": 6291456,
    "profile_level": 1,
    "query_cache_entry_max_bytes": 5242880,
    "query_cache_entry_max_rows": 500000,
    "query_slot_count": 1,
    "repeat_max_num": 10000,
    "rewrite_or_to_in_predicate_threshold": 2,
    "rpc_verbose_profile_max_instance_count": 5,
    "runtime_bloom_filter_max_size": 16777216,
    "runtime_bloom_filter_min_size": 1048576,
    "runtime_bloom_filter_size": 2097152,
    "runtime_filter_broadcast_join_producer_num": 3,
    "runtime_filter_max_in_num": 1024,
    "runtime_filter_tree_publish_max_send_bytes": 67108864,
    "runtime_filter_type": 8,
    "runtime_filter_wait_time_ms": 1000,
    "scan_queue_mem_limit": 107374182,
    "send_batch_parallelism": 1,
    "skew_rewrite_agg_bucket_num": 1024,
    "skew_rewrite_join_salt_explode_factor": 0,
    "spill_aggregation_partition_count": 8,
    "spill_hash_join_partition_count": 8,
    "spill_min_revocable_mem": 33554432,
    "spill_repartition_max_depth": 8,
    "spill_streaming_agg_mem_limit": 268435456,
    "stats_insert_merge_item_count": 200,
    "table_stats_health_threshold": 90,
    "topn_opt_limit_threshold": 1024,
    "use_fix_replica": -1,
    "wait_full_block_schedule_times": 2,
    "hot_value_collect_count": 10,
}

_REALS: dict[str, float] = {
    "broadcast_hashtable_mem_limit_percentage": 0.2,
    "bucket_shuffle_downgrade_ratio": 0.8,
    "cbo_cpu_weight": 1.0,
    "cbo_mem_weight": 1.0,
    "cbo_net_weight": 1.5,
    "decoupled_rf_ndv_ratio_threshold": 0.5,
    "global_partition_topn_threshold": 100.0,
    "hbo_rfsafe_threshold": 0.1,
    "hbo_row_matching_threshold": 0.1,
    "hbo_skew_ratio_threshold": 0.1,
    "hot_value_threshold": 0.1,
    "inverted_index_conjunction_opt_threshold": 1000.0,
    "left_semi_or_anti_probe_factor": 0.05,
    "local_shuffle_bucket_upgrade_ratio": 0.5,
    "nereids_cbo_penalty_factor": 0.7,
    "skew_value_threshold": 10.0,
    "topn_filter_ratio": 0.5,
}

_WORDS: dict[str, str] = {
    "auto_analyze_end_time": "23:59:59",
    "auto_analyze_start_time": "00:00:00",
    "cloud_cluster": "",
    "compute_group": "",
    "cte_inline_mode": "",
    "decimal_overflow_scale": "6",
    "disable_nereids_expression_rules": "",
    "disable_nereids_rules": "",
    "enable_mor_value_predicate_pushdown_tables": "",
    "enable_nereids_rules": "",
    "enable_sql_convertor_features": "",
    "file_cache_base_path": "random",
    "force_sort_algorithm": "",
    "fragment_transmission_compression_codec": "none",
    "hive_text_compression": "plain",
    "insert_visible_timeout_return_mode": "committed",
    "lc_time_names": "en_US",
    "memo_logical_row_count_aggregation_policy": "",
    "minidump_path": "",
    "nereids_trace_event_mode": "all",
    "pre_materialized_view_rewrite_strategy": "TRY_IN_RBO",
    "prefer_join_method": "broadcast",
    "read_mor_as_dup_tables": "",
    "required_group_ids": "",
    "resource_group": "",
    "runtime_filter_mode": "GLOBAL",
    "serde_dialect": "doris",
    "session_context": "",
    "sql_convertor_config": "{}",
    "sql_dialect": "doris",
    "workload_group": "",
}

_Value = bool | int | float | str

ACCEPTED: dict[str, _Value] = {
    **dict.fromkeys(_ON.split(), True),
    **dict.fromkeys(_OFF.split(), False),
    **_NUMBERS,
    **_REALS,
    **_WORDS,
}
