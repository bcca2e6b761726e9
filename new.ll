; ModuleID = 'clinch'
source_filename = "clinch"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct._object = type { i64, ptr }

@clinch_state_size = local_unnamed_addr constant i64 8, align 8
@PyArray_API = internal unnamed_addr global ptr null, align 8
@PyExc_TypeError = external local_unnamed_addr global ptr, align 8
@.str = private unnamed_addr constant [37 x i8] c"expected a numpy.ndarray, not %.200s\00", align 1
@.str.1 = private unnamed_addr constant [40 x i8] c"expected an array of float64, not of %S\00", align 1
@.str.2 = private unnamed_addr constant [57 x i8] c"expected an array in the machine's byte order, not of %S\00", align 1
@.str.3 = private unnamed_addr constant [41 x i8] c"expected an array of 1 dimension, not %d\00", align 1
@PyExc_ValueError = external local_unnamed_addr global ptr, align 8
@.str.4 = private unnamed_addr constant [52 x i8] c"expected an array whose items are aligned in memory\00", align 1
@.str.5 = private unnamed_addr constant [42 x i8] c"expected an array of 0 dimensions, not %d\00", align 1
@_Py_NoneStruct = external global %struct._object, align 8
@PyExc_ImportError = external local_unnamed_addr global ptr, align 8
@.str.6 = private unnamed_addr constant [39 x i8] c"numpy.core.multiarray failed to import\00", align 1
@.str.7 = private unnamed_addr constant [29 x i8] c"numpy.core._multiarray_umath\00", align 1
@.str.8 = private unnamed_addr constant [11 x i8] c"_ARRAY_API\00", align 1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write)
define noundef i32 @clinch_init(ptr noundef writeonly captures(none) initializes((0, 8)) %clinch_memory, ptr noundef %clinch_cells) local_unnamed_addr #0 {
entry:
  store ptr %clinch_cells, ptr %clinch_memory, align 8, !tbaa !8
  ret i32 0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nounwind
define range(i32 0, 5) i32 @clinch_run(ptr noundef readonly captures(none) %clinch_memory) local_unnamed_addr #2 {
entry:
  %clinch_memory.val = load ptr, ptr %clinch_memory, align 8, !tbaa !8
  %0 = load ptr, ptr %clinch_memory.val, align 8, !tbaa !13
  %ob_item.i = getelementptr inbounds nuw i8, ptr %0, i64 24
  %1 = load ptr, ptr %ob_item.i, align 8, !tbaa !15
  %2 = load ptr, ptr %1, align 8, !tbaa !13
  %3 = load i64, ptr %2, align 8, !tbaa !21
  %inc.i.i = add nsw i64 %3, 1
  store i64 %inc.i.i, ptr %2, align 8, !tbaa !21
  %4 = load ptr, ptr @PyArray_API, align 8, !tbaa !22
  %arrayidx3.i = getelementptr inbounds nuw i8, ptr %4, i64 16
  %5 = load ptr, ptr %arrayidx3.i, align 8, !tbaa !23
  %6 = getelementptr i8, ptr %2, i64 8
  %.val235.i = load ptr, ptr %6, align 8, !tbaa !24
  %cmp.i.not.i.i = icmp eq ptr %.val235.i, %5
  br i1 %cmp.i.not.i.i, label %if.end.i, label %PyObject_TypeCheck.exit.i

PyObject_TypeCheck.exit.i:                        ; preds = %entry
  %call2.i.i = tail call i32 @PyType_IsSubtype(ptr noundef %.val235.i, ptr noundef %5) #9
  %tobool3.i.not.i = icmp eq i32 %call2.i.i, 0
  br i1 %tobool3.i.not.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %PyObject_TypeCheck.exit.i
  %7 = load ptr, ptr @PyExc_TypeError, align 8, !tbaa !13
  %.val233.i = load ptr, ptr %6, align 8, !tbaa !24
  %tp_name.i = getelementptr inbounds nuw i8, ptr %.val233.i, i64 24
  %8 = load ptr, ptr %tp_name.i, align 8, !tbaa !25
  %call5.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %7, ptr noundef nonnull @.str, ptr noundef %8) #9
  br label %if.then.i287.i

if.end.i:                                         ; preds = %PyObject_TypeCheck.exit.i, %entry
  %descr.i = getelementptr inbounds nuw i8, ptr %2, i64 56
  %9 = load ptr, ptr %descr.i, align 8, !tbaa !31
  %type_num.i = getelementptr inbounds nuw i8, ptr %9, i64 28
  %10 = load i32, ptr %type_num.i, align 4, !tbaa !35
  %cmp.not.i = icmp eq i32 %10, 12
  br i1 %cmp.not.i, label %if.end14.i, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %if.end.i
  %11 = load ptr, ptr @PyArray_API, align 8, !tbaa !22
  %arrayidx6.i = getelementptr inbounds nuw i8, ptr %11, i64 1528
  %12 = load ptr, ptr %arrayidx6.i, align 8, !tbaa !23
  %call9.i = tail call zeroext i8 %12(i32 noundef %10, i32 noundef 12) #10
  %tobool10.not.i = icmp eq i8 %call9.i, 0
  %.pre.i = load ptr, ptr %descr.i, align 8, !tbaa !31
  br i1 %tobool10.not.i, label %if.then11.i, label %if.end14.i

if.then11.i:                                      ; preds = %land.lhs.true.i
  %13 = load ptr, ptr @PyExc_TypeError, align 8, !tbaa !13
  %call13.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %13, ptr noundef nonnull @.str.1, ptr noundef %.pre.i) #9
  br label %if.then.i287.i

if.end14.i:                                       ; preds = %land.lhs.true.i, %if.end.i
  %14 = phi ptr [ %.pre.i, %land.lhs.true.i ], [ %9, %if.end.i ]
  %byteorder.i = getelementptr inbounds nuw i8, ptr %14, i64 26
  %15 = load i8, ptr %byteorder.i, align 2, !tbaa !39
  %cmp16.not.i = icmp eq i8 %15, 62
  br i1 %cmp16.not.i, label %if.then18.i, label %if.end21.i

if.then18.i:                                      ; preds = %if.end14.i
  %16 = load ptr, ptr @PyExc_TypeError, align 8, !tbaa !13
  %call20.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %16, ptr noundef nonnull @.str.2, ptr noundef nonnull %14) #9
  br label %if.then.i287.i

if.end21.i:                                       ; preds = %if.end14.i
  %nd.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %17 = load i32, ptr %nd.i, align 8, !tbaa !40
  %cmp22.not.i = icmp eq i32 %17, 1
  br i1 %cmp22.not.i, label %if.end27.i, label %if.then24.i

if.then24.i:                                      ; preds = %if.end21.i
  %18 = load ptr, ptr @PyExc_TypeError, align 8, !tbaa !13
  %call26.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %18, ptr noundef nonnull @.str.3, i32 noundef %17) #9
  br label %if.then.i287.i

if.end27.i:                                       ; preds = %if.end21.i
  %flags.i = getelementptr inbounds nuw i8, ptr %2, i64 64
  %19 = load i32, ptr %flags.i, align 8, !tbaa !41
  %and.i = and i32 %19, 256
  %cmp28.not.i = icmp eq i32 %and.i, 0
  br i1 %cmp28.not.i, label %if.then30.i, label %if.end32.i

if.then30.i:                                      ; preds = %if.end27.i
  %20 = load ptr, ptr @PyExc_ValueError, align 8, !tbaa !13
  %call31.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %20, ptr noundef nonnull @.str.4) #9
  br label %if.then.i287.i

if.end32.i:                                       ; preds = %if.end27.i
  %21 = load i64, ptr %2, align 8, !tbaa !21
  %inc.i238.i = add nsw i64 %21, 1
  store i64 %inc.i238.i, ptr %2, align 8, !tbaa !21
  %arrayidx33.i = getelementptr inbounds nuw i8, ptr %clinch_memory.val, i64 8
  %22 = load ptr, ptr %arrayidx33.i, align 8, !tbaa !13
  %ob_item34.i = getelementptr inbounds nuw i8, ptr %22, i64 24
  %23 = load ptr, ptr %ob_item34.i, align 8, !tbaa !15
  %24 = load ptr, ptr %23, align 8, !tbaa !13
  %25 = load i64, ptr %24, align 8, !tbaa !21
  %inc.i239.i = add nsw i64 %25, 1
  store i64 %inc.i239.i, ptr %24, align 8, !tbaa !21
  %26 = load ptr, ptr @PyArray_API, align 8, !tbaa !22
  %arrayidx36.i = getelementptr inbounds nuw i8, ptr %26, i64 16
  %27 = load ptr, ptr %arrayidx36.i, align 8, !tbaa !23
  %28 = getelementptr i8, ptr %24, i64 8
  %.val234.i = load ptr, ptr %28, align 8, !tbaa !24
  %cmp.i.not.i240.i = icmp eq ptr %.val234.i, %27
  br i1 %cmp.i.not.i240.i, label %if.end43.i, label %PyObject_TypeCheck.exit245.i

PyObject_TypeCheck.exit245.i:                     ; preds = %if.end32.i
  %call2.i242.i = tail call i32 @PyType_IsSubtype(ptr noundef %.val234.i, ptr noundef %27) #9
  %tobool3.i243.not.i = icmp eq i32 %call2.i242.i, 0
  br i1 %tobool3.i243.not.i, label %if.then39.i, label %if.end43.i

if.then39.i:                                      ; preds = %PyObject_TypeCheck.exit245.i
  %29 = load ptr, ptr @PyExc_TypeError, align 8, !tbaa !13
  %.val.i = load ptr, ptr %28, align 8, !tbaa !24
  %tp_name41.i = getelementptr inbounds nuw i8, ptr %.val.i, i64 24
  %30 = load ptr, ptr %tp_name41.i, align 8, !tbaa !25
  %call42.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %29, ptr noundef nonnull @.str, ptr noundef %30) #9
  br label %if.then.i275.i

if.end43.i:                                       ; preds = %PyObject_TypeCheck.exit245.i, %if.end32.i
  %descr44.i = getelementptr inbounds nuw i8, ptr %24, i64 56
  %31 = load ptr, ptr %descr44.i, align 8, !tbaa !31
  %type_num45.i = getelementptr inbounds nuw i8, ptr %31, i64 28
  %32 = load i32, ptr %type_num45.i, align 4, !tbaa !35
  %cmp46.not.i = icmp eq i32 %32, 12
  br i1 %cmp46.not.i, label %if.end57.i, label %land.lhs.true48.i

land.lhs.true48.i:                                ; preds = %if.end43.i
  %33 = load ptr, ptr @PyArray_API, align 8, !tbaa !22
  %arrayidx49.i = getelementptr inbounds nuw i8, ptr %33, i64 1528
  %34 = load ptr, ptr %arrayidx49.i, align 8, !tbaa !23
  %call52.i = tail call zeroext i8 %34(i32 noundef %32, i32 noundef 12) #10
  %tobool53.not.i = icmp eq i8 %call52.i, 0
  %.pre43.i = load ptr, ptr %descr44.i, align 8, !tbaa !31
  br i1 %tobool53.not.i, label %if.then54.i, label %if.end57.i

if.then54.i:                                      ; preds = %land.lhs.true48.i
  %35 = load ptr, ptr @PyExc_TypeError, align 8, !tbaa !13
  %call56.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %35, ptr noundef nonnull @.str.1, ptr noundef %.pre43.i) #9
  br label %if.then.i275.i

if.end57.i:                                       ; preds = %land.lhs.true48.i, %if.end43.i
  %36 = phi ptr [ %.pre43.i, %land.lhs.true48.i ], [ %31, %if.end43.i ]
  %byteorder59.i = getelementptr inbounds nuw i8, ptr %36, i64 26
  %37 = load i8, ptr %byteorder59.i, align 2, !tbaa !39
  %cmp61.not.i = icmp eq i8 %37, 62
  br i1 %cmp61.not.i, label %if.then63.i, label %if.end66.i

if.then63.i:                                      ; preds = %if.end57.i
  %38 = load ptr, ptr @PyExc_TypeError, align 8, !tbaa !13
  %call65.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %38, ptr noundef nonnull @.str.2, ptr noundef nonnull %36) #9
  br label %if.then.i275.i

if.end66.i:                                       ; preds = %if.end57.i
  %nd67.i = getelementptr inbounds nuw i8, ptr %24, i64 24
  %39 = load i32, ptr %nd67.i, align 8, !tbaa !40
  %cmp68.not.i = icmp eq i32 %39, 0
  br i1 %cmp68.not.i, label %if.end73.i, label %if.then70.i

if.then70.i:                                      ; preds = %if.end66.i
  %40 = load ptr, ptr @PyExc_TypeError, align 8, !tbaa !13
  %call72.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %40, ptr noundef nonnull @.str.5, i32 noundef %39) #9
  br label %if.then.i275.i

if.end73.i:                                       ; preds = %if.end66.i
  %flags74.i = getelementptr inbounds nuw i8, ptr %24, i64 64
  %41 = load i32, ptr %flags74.i, align 8, !tbaa !41
  %and75.i = and i32 %41, 256
  %cmp76.not.i = icmp eq i32 %and75.i, 0
  br i1 %cmp76.not.i, label %if.then78.i, label %if.end80.i

if.then78.i:                                      ; preds = %if.end73.i
  %42 = load ptr, ptr @PyExc_ValueError, align 8, !tbaa !13
  %call79.i = tail call ptr (ptr, ptr, ...) @PyErr_Format(ptr noundef %42, ptr noundef nonnull @.str.4) #9
  br label %if.then.i275.i

if.end80.i:                                       ; preds = %if.end73.i
  %43 = load i64, ptr %24, align 8, !tbaa !21
  %inc.i246.i = add nsw i64 %43, 1
  store i64 %inc.i246.i, ptr %24, align 8, !tbaa !21
  %arrayidx81.i = getelementptr inbounds nuw i8, ptr %clinch_memory.val, i64 16
  %44 = load ptr, ptr %arrayidx81.i, align 8, !tbaa !13
  %ob_item82.i = getelementptr inbounds nuw i8, ptr %44, i64 24
  %45 = load ptr, ptr %ob_item82.i, align 8, !tbaa !15
  %46 = load ptr, ptr %45, align 8, !tbaa !13
  %47 = load i64, ptr %46, align 8, !tbaa !21
  %inc.i247.i = add nsw i64 %47, 1
  store i64 %inc.i247.i, ptr %46, align 8, !tbaa !21
  %ob_type.i = getelementptr inbounds nuw i8, ptr %46, i64 8
  %48 = load ptr, ptr %ob_type.i, align 8, !tbaa !24
  %49 = load ptr, ptr @PyArray_API, align 8, !tbaa !22
  %arrayidx84.i = getelementptr inbounds nuw i8, ptr %49, i64 16
  %50 = load ptr, ptr %arrayidx84.i, align 8, !tbaa !23
  %cmp85.i = icmp eq ptr %48, %50
  br i1 %cmp85.i, label %land.lhs.true87.i, label %Py_XDECREF.exit.i

land.lhs.true87.i:                                ; preds = %if.end80.i
  %descr88.i = getelementptr inbounds nuw i8, ptr %46, i64 56
  %51 = load ptr, ptr %descr88.i, align 8, !tbaa !31
  %type_num89.i = getelementptr inbounds nuw i8, ptr %51, i64 28
  %52 = load i32, ptr %type_num89.i, align 4, !tbaa !35
  %cmp90.i = icmp eq i32 %52, 12
  br i1 %cmp90.i, label %land.lhs.true92.i, label %Py_XDECREF.exit.i

land.lhs.true92.i:                                ; preds = %land.lhs.true87.i
  %nd93.i = getelementptr inbounds nuw i8, ptr %46, i64 24
  %53 = load i32, ptr %nd93.i, align 8, !tbaa !40
  %cmp94.i = icmp eq i32 %53, 1
  br i1 %cmp94.i, label %land.lhs.true96.i, label %Py_XDECREF.exit.i

land.lhs.true96.i:                                ; preds = %land.lhs.true92.i
  %flags97.i = getelementptr inbounds nuw i8, ptr %46, i64 64
  %54 = load i32, ptr %flags97.i, align 8, !tbaa !41
  %and98.i = and i32 %54, 1280
  %cmp99.i = icmp eq i32 %and98.i, 1280
  br i1 %cmp99.i, label %land.lhs.true101.i, label %Py_XDECREF.exit.i

land.lhs.true101.i:                               ; preds = %land.lhs.true96.i
  %byteorder103.i = getelementptr inbounds nuw i8, ptr %51, i64 26
  %55 = load i8, ptr %byteorder103.i, align 2, !tbaa !39
  %cmp105.not.i = icmp eq i8 %55, 62
  br i1 %cmp105.not.i, label %Py_XDECREF.exit.i, label %land.lhs.true107.i

land.lhs.true107.i:                               ; preds = %land.lhs.true101.i
  %strides.i = getelementptr inbounds nuw i8, ptr %46, i64 40
  %56 = load ptr, ptr %strides.i, align 8, !tbaa !42
  %57 = load i64, ptr %56, align 8, !tbaa !43
  %tobool109.not.i = icmp eq i64 %57, 0
  %dimensions.i = getelementptr inbounds nuw i8, ptr %46, i64 32
  %58 = load ptr, ptr %dimensions.i, align 8, !tbaa !44
  br i1 %tobool109.not.i, label %lor.lhs.false.i, label %lor.lhs.false117.i

lor.lhs.false.i:                                  ; preds = %land.lhs.true107.i
  %59 = load i64, ptr %58, align 8, !tbaa !43
  %cmp111.i = icmp slt i64 %59, 2
  br i1 %cmp111.i, label %lor.lhs.false117.i, label %Py_XDECREF.exit.i

lor.lhs.false117.i:                               ; preds = %lor.lhs.false.i, %land.lhs.true107.i
  %inc.i248.i = add nsw i64 %47, 2
  store i64 %inc.i248.i, ptr %46, align 8, !tbaa !21
  %dimensions118.i = getelementptr inbounds nuw i8, ptr %2, i64 32
  %60 = load ptr, ptr %dimensions118.i, align 8, !tbaa !44
  %61 = load i64, ptr %60, align 8, !tbaa !43
  %62 = load i64, ptr %58, align 8, !tbaa !43
  %cmp122.not.i = icmp eq i64 %61, %62
  br i1 %cmp122.not.i, label %if.end135.i, label %if.then.i.i

if.then.i.i:                                      ; preds = %lor.lhs.false117.i
  store i64 %inc.i247.i, ptr %46, align 8, !tbaa !21
  %cmp.i.i.i = icmp eq i64 %inc.i247.i, 0
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %Py_XDECREF.exit.i

if.then.i.i.i:                                    ; preds = %if.then.i.i
  tail call void @_Py_Dealloc(ptr noundef nonnull %46) #9
  %.pre45.i = load ptr, ptr @PyArray_API, align 8, !tbaa !22
  br label %Py_XDECREF.exit.i

Py_XDECREF.exit.i:                                ; preds = %if.then.i.i.i, %if.then.i.i, %lor.lhs.false.i, %land.lhs.true101.i, %land.lhs.true96.i, %land.lhs.true92.i, %land.lhs.true87.i, %if.end80.i
  %63 = phi ptr [ %49, %lor.lhs.false.i ], [ %49, %land.lhs.true101.i ], [ %49, %land.lhs.true96.i ], [ %49, %land.lhs.true92.i ], [ %49, %land.lhs.true87.i ], [ %49, %if.end80.i ], [ %49, %if.then.i.i ], [ %.pre45.i, %if.then.i.i.i ]
  %arrayidx125.i = getelementptr inbounds nuw i8, ptr %63, i64 1472
  %64 = load ptr, ptr %arrayidx125.i, align 8, !tbaa !23
  %dimensions126.i = getelementptr inbounds nuw i8, ptr %2, i64 32
  %65 = load ptr, ptr %dimensions126.i, align 8, !tbaa !44
  %arrayidx127.i = getelementptr inbounds nuw i8, ptr %63, i64 360
  %66 = load ptr, ptr %arrayidx127.i, align 8, !tbaa !23
  %67 = load ptr, ptr %descr.i, align 8, !tbaa !31
  %type_num129.i = getelementptr inbounds nuw i8, ptr %67, i64 28
  %68 = load i32, ptr %type_num129.i, align 4, !tbaa !35
  %call130.i = tail call ptr %66(i32 noundef %68) #10
  %call131.i = tail call ptr %64(i32 noundef 1, ptr noundef %65, ptr noundef %call130.i, i32 noundef 0) #10
  %tobool132.not.i = icmp eq ptr %call131.i, null
  br i1 %tobool132.not.i, label %if.then.i263.i, label %Py_XDECREF.exit.if.end135_crit_edge.i

Py_XDECREF.exit.if.end135_crit_edge.i:            ; preds = %Py_XDECREF.exit.i
  %strides142.phi.trans.insert.i = getelementptr inbounds nuw i8, ptr %call131.i, i64 40
  %.pre46.i = load ptr, ptr %strides142.phi.trans.insert.i, align 8, !tbaa !42
  %.pre47.i = load ptr, ptr %dimensions126.i, align 8, !tbaa !44
  %.pre48.i = load i64, ptr %.pre47.i, align 8, !tbaa !43
  br label %if.end135.i

if.end135.i:                                      ; preds = %Py_XDECREF.exit.if.end135_crit_edge.i, %lor.lhs.false117.i
  %69 = phi i64 [ %.pre48.i, %Py_XDECREF.exit.if.end135_crit_edge.i ], [ %61, %lor.lhs.false117.i ]
  %70 = phi ptr [ %.pre46.i, %Py_XDECREF.exit.if.end135_crit_edge.i ], [ %56, %lor.lhs.false117.i ]
  %V3.1.i = phi ptr [ %call131.i, %Py_XDECREF.exit.if.end135_crit_edge.i ], [ %46, %lor.lhs.false117.i ]
  %data.i = getelementptr inbounds nuw i8, ptr %2, i64 16
  %71 = load ptr, ptr %data.i, align 8, !tbaa !45
  %data136.i = getelementptr inbounds nuw i8, ptr %V3.1.i, i64 16
  %72 = load ptr, ptr %data136.i, align 8, !tbaa !45
  %data137.i = getelementptr inbounds nuw i8, ptr %24, i64 16
  %73 = load ptr, ptr %data137.i, align 8, !tbaa !45
  %74 = load double, ptr %73, align 8, !tbaa !46
  %conv148.i = trunc i64 %69 to i32
  %cmp14938.i = icmp sgt i32 %conv148.i, 0
  br i1 %cmp14938.i, label %for.body.preheader.i, label %if.then.i251.i

for.body.preheader.i:                             ; preds = %if.end135.i
  %75 = ptrtoint ptr %71 to i64
  %76 = load i64, ptr %70, align 8, !tbaa !43
  %.fr20 = freeze i64 %76
  %div144.i = sdiv i64 %.fr20, 8
  %strides139.i = getelementptr inbounds nuw i8, ptr %2, i64 40
  %77 = load ptr, ptr %strides139.i, align 8, !tbaa !42
  %78 = load i64, ptr %77, align 8, !tbaa !43
  %.fr = freeze i64 %78
  %div.i = sdiv i64 %.fr, 8
  %sext.i = shl i64 %div.i, 32
  %79 = ashr exact i64 %sext.i, 32
  %sext55.i = shl i64 %div144.i, 32
  %80 = ashr exact i64 %sext55.i, 32
  %wide.trip.count.i = and i64 %69, 2147483647
  %81 = add nsw i64 %wide.trip.count.i, -2049
  %82 = icmp ult i64 %81, 522240
  %83 = icmp eq i64 %sext55.i, 4294967296
  %84 = ptrtoint ptr %72 to i64
  %85 = sub i64 0, %84
  %86 = lshr i64 %85, 3
  %87 = and i64 %86, 3
  %88 = and i1 %82, %83
  %unaligned = select i1 %88, i64 %87, i64 0
  %89 = icmp eq i64 %unaligned, 0
  %90 = select i1 %89, i64 %wide.trip.count.i, i64 %unaligned
  %91 = sub i64 %84, %75
  %ident.check = icmp ne i64 %sext55.i, 4294967296
  %ident.check7 = icmp ne i64 %sext.i, 4294967296
  %92 = or i1 %ident.check, %ident.check7
  %diff.check = icmp ult i64 %91, 128
  %or.cond = select i1 %92, i1 true, i1 %diff.check
  %broadcast.splatinsert = insertelement <4 x double> poison, double %74, i64 0
  %broadcast.splat = shufflevector <4 x double> %broadcast.splatinsert, <4 x double> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert14 = insertelement <4 x double> poison, double %74, i64 0
  %broadcast.splat15 = shufflevector <4 x double> %broadcast.splatinsert14, <4 x double> poison, <4 x i32> zeroinitializer
  br label %iter.check

iter.check:                                       ; preds = %aligned, %for.body.preheader.i
  %indvars.iv.i.start = phi i64 [ 0, %for.body.preheader.i ], [ %unaligned, %aligned ]
  %limit = phi i64 [ %90, %for.body.preheader.i ], [ %wide.trip.count.i, %aligned ]
  %93 = sub nsw i64 %limit, %indvars.iv.i.start
  %min.iters.check = icmp ult i64 %93, 4
  %brmerge = select i1 %min.iters.check, i1 true, i1 %or.cond
  br i1 %brmerge, label %for.body.i.preheader, label %vector.main.loop.iter.check

vector.main.loop.iter.check:                      ; preds = %iter.check
  %min.iters.check8 = icmp ult i64 %93, 16
  br i1 %min.iters.check8, label %vec.epilog.ph, label %vector.ph

vector.ph:                                        ; preds = %vector.main.loop.iter.check
  %n.mod.vf = and i64 %93, 12
  %n.vec = and i64 %93, -16
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %vector.ph
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %94 = add i64 %indvars.iv.i.start, %index
  %95 = getelementptr inbounds double, ptr %71, i64 %94
  %96 = getelementptr inbounds nuw i8, ptr %95, i64 32
  %97 = getelementptr inbounds nuw i8, ptr %95, i64 64
  %98 = getelementptr inbounds nuw i8, ptr %95, i64 96
  %wide.load = load <4 x double>, ptr %95, align 8, !tbaa !46
  %wide.load9 = load <4 x double>, ptr %96, align 8, !tbaa !46
  %wide.load10 = load <4 x double>, ptr %97, align 8, !tbaa !46
  %wide.load11 = load <4 x double>, ptr %98, align 8, !tbaa !46
  %99 = fmul <4 x double> %broadcast.splat, %wide.load
  %100 = fmul <4 x double> %broadcast.splat, %wide.load9
  %101 = fmul <4 x double> %broadcast.splat, %wide.load10
  %102 = fmul <4 x double> %broadcast.splat, %wide.load11
  %103 = getelementptr inbounds double, ptr %72, i64 %94
  %104 = getelementptr inbounds nuw i8, ptr %103, i64 32
  %105 = getelementptr inbounds nuw i8, ptr %103, i64 64
  %106 = getelementptr inbounds nuw i8, ptr %103, i64 96
  store <4 x double> %99, ptr %103, align 8, !tbaa !46
  store <4 x double> %100, ptr %104, align 8, !tbaa !46
  store <4 x double> %101, ptr %105, align 8, !tbaa !46
  store <4 x double> %102, ptr %106, align 8, !tbaa !46
  %index.next = add nuw i64 %index, 16
  %107 = icmp eq i64 %index.next, %n.vec
  br i1 %107, label %middle.block, label %vector.body, !llvm.loop !48

middle.block:                                     ; preds = %vector.body
  %cmp.n = icmp eq i64 %93, %n.vec
  br i1 %cmp.n, label %aligned, label %vec.epilog.iter.check

vec.epilog.iter.check:                            ; preds = %middle.block
  %ind.end = add nsw i64 %indvars.iv.i.start, %n.vec
  %min.epilog.iters.check = icmp eq i64 %n.mod.vf, 0
  br i1 %min.epilog.iters.check, label %for.body.i.preheader, label %vec.epilog.ph, !prof !52

vec.epilog.ph:                                    ; preds = %vector.main.loop.iter.check, %vec.epilog.iter.check
  %vec.epilog.resume.val = phi i64 [ %n.vec, %vec.epilog.iter.check ], [ 0, %vector.main.loop.iter.check ]
  %n.vec13 = and i64 %93, -4
  %108 = add nsw i64 %indvars.iv.i.start, %n.vec13
  br label %vec.epilog.vector.body

vec.epilog.vector.body:                           ; preds = %vec.epilog.vector.body, %vec.epilog.ph
  %index16 = phi i64 [ %vec.epilog.resume.val, %vec.epilog.ph ], [ %index.next18, %vec.epilog.vector.body ]
  %offset.idx = add i64 %indvars.iv.i.start, %index16
  %109 = getelementptr inbounds double, ptr %71, i64 %offset.idx
  %wide.load17 = load <4 x double>, ptr %109, align 8, !tbaa !46
  %110 = fmul <4 x double> %broadcast.splat15, %wide.load17
  %111 = getelementptr inbounds double, ptr %72, i64 %offset.idx
  store <4 x double> %110, ptr %111, align 8, !tbaa !46
  %index.next18 = add nuw i64 %index16, 4
  %112 = icmp eq i64 %index.next18, %n.vec13
  br i1 %112, label %vec.epilog.middle.block, label %vec.epilog.vector.body, !llvm.loop !53

vec.epilog.middle.block:                          ; preds = %vec.epilog.vector.body
  %cmp.n19 = icmp eq i64 %93, %n.vec13
  br i1 %cmp.n19, label %aligned, label %for.body.i.preheader

for.body.i.preheader:                             ; preds = %iter.check, %vec.epilog.iter.check, %vec.epilog.middle.block
  %indvars.iv.i.ph = phi i64 [ %108, %vec.epilog.middle.block ], [ %indvars.iv.i.start, %iter.check ], [ %ind.end, %vec.epilog.iter.check ]
  %113 = sub i64 %limit, %indvars.iv.i.ph
  %.neg = add i64 %indvars.iv.i.ph, 1
  %xtraiter = and i64 %113, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %for.body.i.prol.loopexit, label %for.body.i.prol

for.body.i.prol:                                  ; preds = %for.body.i.preheader
  %114 = mul nsw i64 %indvars.iv.i.ph, %79
  %arrayidx151.i.prol = getelementptr inbounds double, ptr %71, i64 %114
  %115 = load double, ptr %arrayidx151.i.prol, align 8, !tbaa !46
  %mul152.i.prol = fmul double %74, %115
  %116 = mul nsw i64 %indvars.iv.i.ph, %80
  %arrayidx155.i.prol = getelementptr inbounds double, ptr %72, i64 %116
  store double %mul152.i.prol, ptr %arrayidx155.i.prol, align 8, !tbaa !46
  %indvars.iv.next.i.prol = add nuw nsw i64 %indvars.iv.i.ph, 1
  br label %for.body.i.prol.loopexit

for.body.i.prol.loopexit:                         ; preds = %for.body.i.prol, %for.body.i.preheader
  %indvars.iv.i.unr = phi i64 [ %indvars.iv.i.ph, %for.body.i.preheader ], [ %indvars.iv.next.i.prol, %for.body.i.prol ]
  %117 = icmp eq i64 %limit, %.neg
  br i1 %117, label %aligned, label %for.body.i

for.body.i:                                       ; preds = %for.body.i.prol.loopexit, %for.body.i
  %indvars.iv.i = phi i64 [ %indvars.iv.next.i.1, %for.body.i ], [ %indvars.iv.i.unr, %for.body.i.prol.loopexit ]
  %118 = mul nsw i64 %indvars.iv.i, %79
  %arrayidx151.i = getelementptr inbounds double, ptr %71, i64 %118
  %119 = load double, ptr %arrayidx151.i, align 8, !tbaa !46
  %mul152.i = fmul double %74, %119
  %120 = mul nsw i64 %indvars.iv.i, %80
  %arrayidx155.i = getelementptr inbounds double, ptr %72, i64 %120
  store double %mul152.i, ptr %arrayidx155.i, align 8, !tbaa !46
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %121 = mul nsw i64 %indvars.iv.next.i, %79
  %arrayidx151.i.1 = getelementptr inbounds double, ptr %71, i64 %121
  %122 = load double, ptr %arrayidx151.i.1, align 8, !tbaa !46
  %mul152.i.1 = fmul double %74, %122
  %123 = mul nsw i64 %indvars.iv.next.i, %80
  %arrayidx155.i.1 = getelementptr inbounds double, ptr %72, i64 %123
  store double %mul152.i.1, ptr %arrayidx155.i.1, align 8, !tbaa !46
  %indvars.iv.next.i.1 = add nuw nsw i64 %indvars.iv.i, 2
  %124 = icmp eq i64 %indvars.iv.next.i.1, %limit
  br i1 %124, label %aligned, label %for.body.i, !llvm.loop !54

aligned:                                          ; preds = %for.body.i.prol.loopexit, %for.body.i, %vec.epilog.middle.block, %middle.block
  %125 = icmp eq i64 %limit, %wide.trip.count.i
  br i1 %125, label %if.then.i251.i, label %iter.check, !llvm.loop !55

if.then.i251.i:                                   ; preds = %aligned, %if.end135.i
  %126 = load i64, ptr %V3.1.i, align 8, !tbaa !21
  %inc.i249.i = add nsw i64 %126, 1
  store i64 %inc.i249.i, ptr %V3.1.i, align 8, !tbaa !21
  %127 = load i64, ptr %46, align 8, !tbaa !21
  %dec.i.i252.i = add nsw i64 %127, -1
  store i64 %dec.i.i252.i, ptr %46, align 8, !tbaa !21
  %cmp.i.i253.i = icmp eq i64 %dec.i.i252.i, 0
  br i1 %cmp.i.i253.i, label %if.then.i.i254.i, label %Py_XDECREF.exit255.i

if.then.i.i254.i:                                 ; preds = %if.then.i251.i
  tail call void @_Py_Dealloc(ptr noundef nonnull %46) #9
  br label %Py_XDECREF.exit255.i

Py_XDECREF.exit255.i:                             ; preds = %if.then.i.i254.i, %if.then.i251.i
  %128 = getelementptr i8, ptr %44, i64 16
  %.val236.i = load i64, ptr %128, align 8, !tbaa !57
  %cmp160.i = icmp eq i64 %.val236.i, 1
  br i1 %cmp160.i, label %if.then162.i, label %if.then.i257.i

if.then162.i:                                     ; preds = %Py_XDECREF.exit255.i
  %129 = load ptr, ptr %ob_item82.i, align 8, !tbaa !15
  %130 = load ptr, ptr %129, align 8, !tbaa !13
  store ptr %V3.1.i, ptr %129, align 8, !tbaa !13
  br label %if.then.i257.i

if.then.i257.i:                                   ; preds = %if.then162.i, %Py_XDECREF.exit255.i
  %py_V3.0.i = phi ptr [ %V3.1.i, %Py_XDECREF.exit255.i ], [ %130, %if.then162.i ]
  %131 = load i64, ptr %V3.1.i, align 8, !tbaa !21
  %dec.i.i258.i = add nsw i64 %131, -1
  store i64 %dec.i.i258.i, ptr %V3.1.i, align 8, !tbaa !21
  %cmp.i.i259.i = icmp eq i64 %dec.i.i258.i, 0
  br i1 %cmp.i.i259.i, label %if.then.i.i260.i, label %Py_XDECREF.exit261.i

if.then.i.i260.i:                                 ; preds = %if.then.i257.i
  tail call void @_Py_Dealloc(ptr noundef nonnull %V3.1.i) #9
  br label %Py_XDECREF.exit261.i

Py_XDECREF.exit261.i:                             ; preds = %if.then.i.i260.i, %if.then.i257.i
  %cmp.not.i262.i = icmp eq ptr %py_V3.0.i, null
  br i1 %cmp.not.i262.i, label %if.then.i269.i, label %if.then.i263.i

if.then.i263.i:                                   ; preds = %Py_XDECREF.exit261.i, %Py_XDECREF.exit.i
  %failure.0162228.i = phi i32 [ 0, %Py_XDECREF.exit261.i ], [ 4, %Py_XDECREF.exit.i ]
  %py_V3.02327.i = phi ptr [ %py_V3.0.i, %Py_XDECREF.exit261.i ], [ %46, %Py_XDECREF.exit.i ]
  %132 = load i64, ptr %py_V3.02327.i, align 8, !tbaa !21
  %dec.i.i264.i = add nsw i64 %132, -1
  store i64 %dec.i.i264.i, ptr %py_V3.02327.i, align 8, !tbaa !21
  %cmp.i.i265.i = icmp eq i64 %dec.i.i264.i, 0
  br i1 %cmp.i.i265.i, label %if.then.i.i266.i, label %if.then.i269.i

if.then.i.i266.i:                                 ; preds = %if.then.i263.i
  tail call void @_Py_Dealloc(ptr noundef nonnull %py_V3.02327.i) #9
  br label %if.then.i269.i

if.then.i269.i:                                   ; preds = %if.then.i.i266.i, %if.then.i263.i, %Py_XDECREF.exit261.i
  %failure.1.i = phi i32 [ %failure.0162228.i, %if.then.i263.i ], [ %failure.0162228.i, %if.then.i.i266.i ], [ 0, %Py_XDECREF.exit261.i ]
  %133 = load i64, ptr %24, align 8, !tbaa !21
  %dec.i.i270.i = add nsw i64 %133, -1
  store i64 %dec.i.i270.i, ptr %24, align 8, !tbaa !21
  %cmp.i.i271.i = icmp eq i64 %dec.i.i270.i, 0
  br i1 %cmp.i.i271.i, label %if.then.i.i272.i, label %if.then.i275.i

if.then.i.i272.i:                                 ; preds = %if.then.i269.i
  tail call void @_Py_Dealloc(ptr noundef nonnull %24) #9
  br label %if.then.i275.i

if.then.i275.i:                                   ; preds = %if.then.i.i272.i, %if.then.i269.i, %if.then78.i, %if.then70.i, %if.then63.i, %if.then54.i, %if.then39.i
  %failure.133.i = phi i32 [ %failure.1.i, %if.then.i.i272.i ], [ 2, %if.then54.i ], [ %failure.1.i, %if.then.i269.i ], [ 2, %if.then70.i ], [ 2, %if.then39.i ], [ 2, %if.then78.i ], [ 2, %if.then63.i ]
  %134 = load i64, ptr %24, align 8, !tbaa !21
  %dec.i.i276.i = add nsw i64 %134, -1
  store i64 %dec.i.i276.i, ptr %24, align 8, !tbaa !21
  %cmp.i.i277.i = icmp eq i64 %dec.i.i276.i, 0
  br i1 %cmp.i.i277.i, label %if.then.i.i278.i, label %if.then.i281.i

if.then.i.i278.i:                                 ; preds = %if.then.i275.i
  tail call void @_Py_Dealloc(ptr noundef nonnull %24) #9
  br label %if.then.i281.i

if.then.i281.i:                                   ; preds = %if.then.i.i278.i, %if.then.i275.i
  %135 = load i64, ptr %2, align 8, !tbaa !21
  %dec.i.i282.i = add nsw i64 %135, -1
  store i64 %dec.i.i282.i, ptr %2, align 8, !tbaa !21
  %cmp.i.i283.i = icmp eq i64 %dec.i.i282.i, 0
  br i1 %cmp.i.i283.i, label %if.then.i.i284.i, label %if.then.i287.i

if.then.i.i284.i:                                 ; preds = %if.then.i281.i
  tail call void @_Py_Dealloc(ptr noundef nonnull %2) #9
  br label %if.then.i287.i

if.then.i287.i:                                   ; preds = %if.then.i.i284.i, %if.then.i281.i, %if.then30.i, %if.then24.i, %if.then18.i, %if.then11.i, %if.then.i
  %failure.237.i = phi i32 [ %failure.133.i, %if.then.i.i284.i ], [ 1, %if.then11.i ], [ %failure.133.i, %if.then.i281.i ], [ 1, %if.then24.i ], [ 1, %if.then.i ], [ 1, %if.then30.i ], [ 1, %if.then18.i ]
  %136 = load i64, ptr %2, align 8, !tbaa !21
  %dec.i.i288.i = add nsw i64 %136, -1
  store i64 %dec.i.i288.i, ptr %2, align 8, !tbaa !21
  %cmp.i.i289.i = icmp eq i64 %dec.i.i288.i, 0
  br i1 %cmp.i.i289.i, label %if.then.i.i290.i, label %clinch_ladder.exit

if.then.i.i290.i:                                 ; preds = %if.then.i287.i
  tail call void @_Py_Dealloc(ptr noundef nonnull %2) #9
  br label %clinch_ladder.exit

clinch_ladder.exit:                               ; preds = %if.then.i287.i, %if.then.i.i290.i
  ret i32 %failure.237.i
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define void @clinch_cleanup(ptr noundef readnone captures(none) %clinch_memory) local_unnamed_addr #3 {
entry:
  ret void
}

; Function Attrs: cold nounwind
define range(i32 -1, 1) i32 @clinch_module_init() local_unnamed_addr #4 {
entry:
  %call = tail call fastcc ptr @clinch_init_code()
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %entry
  %call1 = tail call ptr @PyErr_Occurred() #10
  %tobool2.not = icmp ne ptr %call1, null
  %0 = sext i1 %tobool2.not to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %not. = phi i32 [ -1, %entry ], [ %0, %land.rhs ]
  ret i32 %not.
}

; Function Attrs: cold nounwind
define internal fastcc noundef ptr @clinch_init_code() unnamed_addr #4 {
entry:
  %call = tail call fastcc i32 @_import_array() #11
  %cmp = icmp slt i32 %call, 0
  br i1 %cmp, label %if.then, label %return

if.then:                                          ; preds = %entry
  tail call void @PyErr_Print() #10
  %0 = load ptr, ptr @PyExc_ImportError, align 8, !tbaa !13
  tail call void @PyErr_SetString(ptr noundef %0, ptr noundef nonnull @.str.6) #9
  br label %return

return:                                           ; preds = %entry, %if.then
  %retval.0 = phi ptr [ null, %if.then ], [ @_Py_NoneStruct, %entry ]
  ret ptr %retval.0
}

; Function Attrs: nonlazybind
declare ptr @PyErr_Occurred() local_unnamed_addr #5

; Function Attrs: cold nonlazybind
declare ptr @PyErr_Format(ptr noundef, ptr noundef, ...) local_unnamed_addr #6

; Function Attrs: inlinehint nounwind
define internal fastcc void @Py_XDECREF(ptr noundef %op) unnamed_addr #7 {
entry:
  %cmp.not = icmp eq ptr %op, null
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %0 = load i64, ptr %op, align 8, !tbaa !21
  %dec.i = add nsw i64 %0, -1
  store i64 %dec.i, ptr %op, align 8, !tbaa !21
  %cmp.i = icmp eq i64 %dec.i, 0
  br i1 %cmp.i, label %if.then.i, label %if.end

if.then.i:                                        ; preds = %if.then
  tail call void @_Py_Dealloc(ptr noundef nonnull %op) #9
  br label %if.end

if.end:                                           ; preds = %if.then.i, %if.then, %entry
  ret void
}

; Function Attrs: cold nonlazybind
declare i32 @PyType_IsSubtype(ptr noundef, ptr noundef) local_unnamed_addr #6

; Function Attrs: cold nonlazybind
declare void @_Py_Dealloc(ptr noundef) local_unnamed_addr #6

; Function Attrs: cold noinline nounwind optnone
define internal fastcc range(i32 -1, 1) i32 @_import_array() unnamed_addr #8 {
entry:
  %Module = alloca ptr, align 8
  %Table = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr %Module) #12
  %call = call ptr @PyImport_ImportModule(ptr noundef @.str.7) #13
  store ptr %call, ptr %Module, align 8, !tbaa !13
  call void @llvm.lifetime.start.p0(ptr %Table) #12
  %0 = load ptr, ptr %Module, align 8, !tbaa !13
  %tobool = icmp ne ptr %0, null
  br i1 %tobool, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
  %1 = load ptr, ptr %Module, align 8, !tbaa !13
  %call1 = call ptr @PyObject_GetAttrString(ptr noundef %1, ptr noundef @.str.8) #13
  br label %cond.end

cond.false:                                       ; preds = %entry
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %call1, %cond.true ], [ null, %cond.false ]
  store ptr %cond, ptr %Table, align 8, !tbaa !13
  %2 = load ptr, ptr %Table, align 8, !tbaa !13
  %tobool2 = icmp ne ptr %2, null
  br i1 %tobool2, label %cond.true3, label %cond.false5

cond.true3:                                       ; preds = %cond.end
  %3 = load ptr, ptr %Table, align 8, !tbaa !13
  %call4 = call ptr @PyCapsule_GetPointer(ptr noundef %3, ptr noundef null) #13
  br label %cond.end6

cond.false5:                                      ; preds = %cond.end
  br label %cond.end6

cond.end6:                                        ; preds = %cond.false5, %cond.true3
  %cond7 = phi ptr [ %call4, %cond.true3 ], [ null, %cond.false5 ]
  store ptr %cond7, ptr @PyArray_API, align 8, !tbaa !22
  %4 = load ptr, ptr %Table, align 8, !tbaa !13
  call fastcc void @Py_XDECREF(ptr noundef %4) #13
  %5 = load ptr, ptr %Module, align 8, !tbaa !13
  call fastcc void @Py_XDECREF(ptr noundef %5) #13
  %6 = load ptr, ptr @PyArray_API, align 8, !tbaa !22
  %tobool8 = icmp ne ptr %6, null
  %7 = zext i1 %tobool8 to i64
  %cond9 = select i1 %tobool8, i32 0, i32 -1
  call void @llvm.lifetime.end.p0(ptr %Table) #12
  call void @llvm.lifetime.end.p0(ptr %Module) #12
  ret i32 %cond9
}

; Function Attrs: nonlazybind
declare void @PyErr_Print() local_unnamed_addr #5

; Function Attrs: cold nonlazybind
declare void @PyErr_SetString(ptr noundef, ptr noundef) local_unnamed_addr #6

; Function Attrs: nonlazybind
declare ptr @PyImport_ImportModule(ptr noundef) local_unnamed_addr #5

; Function Attrs: nonlazybind
declare ptr @PyObject_GetAttrString(ptr noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: nonlazybind
declare ptr @PyCapsule_GetPointer(ptr noundef, ptr noundef) local_unnamed_addr #5

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: write) "min-legal-vector-width"="0" "no-trapping-math"="true" "prefer-vector-width"="256" "stack-protector-buffer-size"="8" "target-cpu"="znver4" "target-features"="+64bit,+cmov,-mwaitx,-pku,-rdpru,-wbnoinvd" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "prefer-vector-width"="256" "stack-protector-buffer-size"="8" "target-cpu"="znver4" "target-features"="+64bit,+cmov,-mwaitx,-pku,-rdpru,-wbnoinvd" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "min-legal-vector-width"="0" "no-trapping-math"="true" "prefer-vector-width"="256" "stack-protector-buffer-size"="8" "target-cpu"="znver4" "target-features"="+64bit,+cmov,-mwaitx,-pku,-rdpru,-wbnoinvd" "tune-cpu"="generic" }
attributes #4 = { cold nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "prefer-vector-width"="256" "stack-protector-buffer-size"="8" "target-cpu"="znver4" "target-features"="+64bit,+cmov,-mwaitx,-pku,-rdpru,-wbnoinvd" "tune-cpu"="generic" }
attributes #5 = { nonlazybind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="znver4" "target-features"="+64bit,+cmov,-mwaitx,-pku,-rdpru,-wbnoinvd" "tune-cpu"="generic" }
attributes #6 = { cold nonlazybind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="znver4" "target-features"="+64bit,+cmov,-mwaitx,-pku,-rdpru,-wbnoinvd" "tune-cpu"="generic" }
attributes #7 = { inlinehint nounwind "min-legal-vector-width"="0" "no-trapping-math"="true" "prefer-vector-width"="256" "stack-protector-buffer-size"="8" "target-cpu"="znver4" "target-features"="+64bit,+cmov,-mwaitx,-pku,-rdpru,-wbnoinvd" "tune-cpu"="generic" }
attributes #8 = { cold noinline nounwind optnone "min-legal-vector-width"="0" "no-trapping-math"="true" "prefer-vector-width"="256" "stack-protector-buffer-size"="8" "target-cpu"="znver4" "target-features"="+64bit,+cmov,-mwaitx,-pku,-rdpru,-wbnoinvd" "tune-cpu"="generic" }
attributes #9 = { cold nounwind }
attributes #10 = { nounwind }
attributes #11 = { cold }
attributes #12 = { noinline nounwind }
attributes #13 = { noinline }

!llvm.module.flags = !{!0, !1, !2}
!llvm.ident = !{!3}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"RtLibUseGOT", i32 1}
!3 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = !{!9, !10, i64 0}
!9 = !{!"clinch_state", !10, i64 0}
!10 = !{!"p2 _ZTS7_object", !11, i64 0}
!11 = !{!"any p2 pointer", !12, i64 0}
!12 = !{!"any pointer", !6, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 _ZTS7_object", !12, i64 0}
!15 = !{!16, !10, i64 24}
!16 = !{!"", !17, i64 0, !10, i64 24, !19, i64 32}
!17 = !{!"", !18, i64 0, !19, i64 16}
!18 = !{!"_object", !19, i64 0, !20, i64 8}
!19 = !{!"long", !6, i64 0}
!20 = !{!"p1 _ZTS11_typeobject", !12, i64 0}
!21 = !{!18, !19, i64 0}
!22 = !{!11, !11, i64 0}
!23 = !{!12, !12, i64 0}
!24 = !{!18, !20, i64 8}
!25 = !{!26, !27, i64 24}
!26 = !{!"_typeobject", !17, i64 0, !27, i64 24, !19, i64 32, !19, i64 40, !12, i64 48, !19, i64 56, !12, i64 64, !12, i64 72, !12, i64 80, !12, i64 88, !12, i64 96, !12, i64 104, !12, i64 112, !12, i64 120, !12, i64 128, !12, i64 136, !12, i64 144, !12, i64 152, !12, i64 160, !19, i64 168, !27, i64 176, !12, i64 184, !12, i64 192, !12, i64 200, !19, i64 208, !12, i64 216, !12, i64 224, !28, i64 232, !29, i64 240, !30, i64 248, !20, i64 256, !14, i64 264, !12, i64 272, !12, i64 280, !19, i64 288, !12, i64 296, !12, i64 304, !12, i64 312, !12, i64 320, !12, i64 328, !14, i64 336, !14, i64 344, !14, i64 352, !14, i64 360, !14, i64 368, !12, i64 376, !5, i64 384, !12, i64 392, !12, i64 400}
!27 = !{!"p1 omnipotent char", !12, i64 0}
!28 = !{!"p1 _ZTS11PyMethodDef", !12, i64 0}
!29 = !{!"p1 _ZTS11PyMemberDef", !12, i64 0}
!30 = !{!"p1 _ZTS11PyGetSetDef", !12, i64 0}
!31 = !{!32, !34, i64 56}
!32 = !{!"tagPyArrayObject_fields", !18, i64 0, !27, i64 16, !5, i64 24, !33, i64 32, !33, i64 40, !14, i64 48, !34, i64 56, !5, i64 64, !14, i64 72, !12, i64 80, !14, i64 88}
!33 = !{!"p1 long", !12, i64 0}
!34 = !{!"p1 _ZTS14_PyArray_Descr", !12, i64 0}
!35 = !{!36, !5, i64 28}
!36 = !{!"_PyArray_Descr", !18, i64 0, !20, i64 16, !6, i64 24, !6, i64 25, !6, i64 26, !6, i64 27, !5, i64 28, !5, i64 32, !5, i64 36, !37, i64 40, !14, i64 48, !14, i64 56, !12, i64 64, !14, i64 72, !38, i64 80, !19, i64 88}
!37 = !{!"p1 _ZTS10_arr_descr", !12, i64 0}
!38 = !{!"p1 _ZTS14NpyAuxData_tag", !12, i64 0}
!39 = !{!36, !6, i64 26}
!40 = !{!32, !5, i64 24}
!41 = !{!32, !5, i64 64}
!42 = !{!32, !33, i64 40}
!43 = !{!19, !19, i64 0}
!44 = !{!32, !33, i64 32}
!45 = !{!32, !27, i64 16}
!46 = !{!47, !47, i64 0}
!47 = !{!"double", !6, i64 0}
!48 = distinct !{!48, !49, !50, !51}
!49 = !{!"llvm.loop.mustprogress"}
!50 = !{!"llvm.loop.isvectorized", i32 1}
!51 = !{!"llvm.loop.unroll.runtime.disable"}
!52 = !{!"branch_weights", i32 4, i32 12}
!53 = distinct !{!53, !49, !50, !51}
!54 = distinct !{!54, !49, !50}
!55 = distinct !{!55, !56}
!56 = !{!"llvm.loop.unroll.disable"}
!57 = !{!17, !19, i64 16}

